/* bag_judge.cpp - what the C++ library of ROS reads in bags.
 *
 * For each file "FILE path", then a line per message "M nanoseconds length
 * checksum topic", in the library's order, then "OK" or "BAD why".
 */
#include <rosbag/bag.h>
#include <rosbag/view.h>

#include <boost/crc.hpp>
#include <cstdio>
#include <vector>

static void
tell(const char *path)
{
	std::vector<uint8_t> bytes;
	rosbag::Bag bag(path, rosbag::bagmode::Read);
	rosbag::View view(bag);

	for (const rosbag::MessageInstance &m : view) {
		boost::crc_32_type crc;

		bytes.resize(m.size());
		ros::serialization::OStream out(bytes.data(), m.size());
		m.write(out);
		crc.process_bytes(bytes.data(), bytes.size());
		std::printf("M %llu %u %u %s\n",
		    (unsigned long long)m.getTime().toNSec(), m.size(),
		    crc.checksum(), m.getTopic().c_str());
	}
}

int
main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		std::printf("FILE %s\n", argv[i]);
		try {
			tell(argv[i]);
			std::puts("OK");
		} catch (const std::exception &e) {
			std::printf("BAD %s\n", e.what());
		}
		std::fflush(stdout);
	}
	return 0;
}
