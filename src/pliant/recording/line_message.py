"""ROS 2 topic and message definition of a protocol line: a command, a reply or an event."""

LINE_TOPIC = "/pliant/line"
LINE_MESSAGE = "pliant_msgs/msg/Line"

LINE_DEFINITION = """\
# Commands, replies and events that accompany the ticks.
int64 tick  # Number of the tick at which the line took effect, or after which it was published.
string kind  # command, reply, event, holder, input, config, end, lost
string text
"""
