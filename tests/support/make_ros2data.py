#!/usr/bin/python3
"""Makes the bags of ROS 2 in testdata/ros2.

    make_ros2data.py [OUT]

Each is a folder as rosbag2 leaves it.  The same script gives the same bytes.
Shares nothing with salvor.
"""

import pathlib
import shutil
import sys

from ros2_bag import Bag, Topic, write

HOME = pathlib.Path(__file__).resolve().parents[2] / "testdata" / "ros2"
START = 1700000000 * 10 ** 9
STEP = 10 ** 8
TOPICS = [Topic("/battery", "sensor_msgs/msg/BatteryState", 1, 2),
          Topic("/odom", "nav_msgs/msg/Odometry"),
          Topic("/rosout", "rcl_interfaces/msg/Log", 1000)]


def events(first, n):
    """n messages of two topics."""
    return [("/battery" if i % 5 == 0 else "/odom", START + (first + i) * STEP)
            for i in range(n)]


def bag(version, files=1, **more):
    """A bag with 20 messages in each file; /rosout has none."""
    if version >= 8:
        more.setdefault("distro", "jazzy" if version >= 9 else "iron")
    return Bag(version, TOPICS, [events(20 * i, 20) for i in range(files)],
               **more)


BAGS = {"humble": bag(5), "jazzy": bag(9, 2, custom=(("robot", "spot 7"),))}


def make(out):
    """Write them all."""
    for name, one in BAGS.items():
        shutil.rmtree(out / name, ignore_errors=True)
        write(out / name, one)


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HOME)
