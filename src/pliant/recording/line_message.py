"""A line beside the ticks as a ROS 2 message: its topic and its message definition."""

LINE_TOPIC = "/pliant/line"
LINE_MESSAGE = "pliant_msgs/msg/Line"

LINE_DEFINITION = """\
# What was said and what happened, beside the ticks.
int64 tick  # Number of the tick at which it acts, or after which it was said.
string kind  # command, reply, event, holder, input, config, end, lost
string text
"""
