"""The operator's console: a server beside the controller, and the page that it serves."""
