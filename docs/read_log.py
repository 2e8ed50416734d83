"""Reads a run's log: the largest error of a joint, what happened, and the numbers of each command.

    pip install mcap mcap-ros2-support
    python read_log.py run.mcap elbow
"""

import sys

from mcap_ros2.reader import read_ros2_messages

path, joint = sys.argv[1], sys.argv[2]

samples = [m.ros_msg for m in read_ros2_messages(path, topics=[f"/j/{joint}"])]
worst = max(samples, key=lambda sample: abs(sample.error))
seconds = worst.stamp.sec + 1e-9 * worst.stamp.nanosec
print(f"{joint}: {len(samples)} cycles, largest error {worst.error:+.6f} at {seconds:.3f} s")

for message in read_ros2_messages(path, topics=["/events"]):
    print(f"{message.log_time_ns * 1e-9:.3f} s  {message.ros_msg.msg}")

for message in read_ros2_messages(path, topics=["/commands"]):
    command = message.ros_msg
    numbers = iter(command.numbers)
    told = [f"{name} {next(numbers):g}" for name in command.fields]
    for index in command.joints:
        told += [f"joint {index} {name} {next(numbers):g}" for name in command.value_fields]
    print(f"{message.log_time_ns * 1e-9:.3f} s  command #{command.number}: {', '.join(told)}")
