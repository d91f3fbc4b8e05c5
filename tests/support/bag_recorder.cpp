/* bag_recorder.cpp - records a bag with the C++ library of ROS, to be killed.
 *
 *     bag_recorder PATH none|bz2|lz4 CHUNK N KILL
 *
 * writes N messages, as many bytes a chunk as CHUNK says, and closes the bag.
 * After KILL messages the process kills itself; with KILL = 0 it does not.
 */
#include <rosbag/bag.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

struct Blob {
	std::string bytes;
};

namespace ros {
namespace message_traits {
template <> struct MD5Sum<Blob> {
	static const char *value() { return "d41d8cd98f00b204e9800998ecf8427e"; }
	static const char *value(const Blob &) { return value(); }
};
template <> struct DataType<Blob> {
	static const char *value() { return "salvor_test/Blob"; }
	static const char *value(const Blob &) { return value(); }
};
template <> struct Definition<Blob> {
	static const char *value() { return ""; }
	static const char *value(const Blob &) { return value(); }
};
} // namespace message_traits

namespace serialization {
template <> struct Serializer<Blob> {
	template <typename Stream> static void write(Stream &out, const Blob &b)
	{
		memcpy(out.advance((uint32_t)b.bytes.size()), b.bytes.data(),
		    b.bytes.size());
	}
	static uint32_t serializedLength(const Blob &b)
	{
		return (uint32_t)b.bytes.size();
	}
};
} // namespace serialization
} // namespace ros

/* Message n; bag_killed.py makes the same. */
static Blob
blob(unsigned n)
{
	Blob b;
	unsigned state = n * 2654435761u + 1;

	b.bytes.resize(state >> 8 & 2047);
	for (char &c : b.bytes) {
		state = state * 1103515245u + 12345;
		c = state >> 31 ? (char)(state >> 16) : (char)n;
	}
	return b;
}

int
main(int argc, char **argv)
{
	static const char *const topics[] = { "/a", "/b/c", "/late" };
	const std::string how = argc == 6 ? argv[2] : "";
	rosbag::Bag bag;
	unsigned n, kill_at;

	if (argc != 6)
		return 2;
	bag.open(argv[1], rosbag::bagmode::Write);
	bag.setCompression(how == "bz2" ? rosbag::compression::BZ2
	        : how == "lz4"          ? rosbag::compression::LZ4
	                                : rosbag::compression::Uncompressed);
	bag.setChunkThreshold((uint32_t)std::atoi(argv[3]));
	n = (unsigned)std::atoi(argv[4]);
	kill_at = (unsigned)std::atoi(argv[5]);
	for (unsigned i = 0; i < n; i++) {
		if (kill_at > 0 && i == kill_at)
			raise(SIGKILL);
		bag.write(topics[i < n / 2 ? i & 1 : i % 3],
		    ros::Time(1700000000 + i / 100, i % 100 * 10000000), blob(i));
	}
	bag.close();
	return 0;
}
