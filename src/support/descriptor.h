/* descriptor.h - the fields of protobuf's own descriptions of messages.
 *
 * Source: google/protobuf/descriptor.proto.
 */
#ifndef SLV_SUPPORT_DESCRIPTOR_H
#define SLV_SUPPORT_DESCRIPTOR_H

enum slv_descriptor_tag {
	/* FileDescriptorSet */
	SLV_SET_FILE = 1,
	/* FileDescriptorProto */
	SLV_FILE_NAME = 1,
	SLV_FILE_PACKAGE = 2,
	SLV_FILE_IMPORT = 3,
	SLV_FILE_MESSAGE = 4,
	SLV_FILE_ENUM = 5,
	SLV_FILE_SYNTAX = 12,
	/* DescriptorProto */
	SLV_MESSAGE_NAME = 1,
	SLV_MESSAGE_FIELD = 2,
	SLV_MESSAGE_NESTED = 3,
	SLV_MESSAGE_ENUM = 4,
	/* FieldDescriptorProto */
	SLV_FIELD_NAME = 1,
	SLV_FIELD_NUMBER = 3,
	SLV_FIELD_LABEL = 4,
	SLV_FIELD_TYPE = 5,
	SLV_FIELD_TYPE_NAME = 6,
	/* EnumDescriptorProto */
	SLV_ENUM_NAME = 1,
	SLV_ENUM_VALUE = 2,
	/* EnumValueDescriptorProto */
	SLV_VALUE_NAME = 1,
	SLV_VALUE_NUMBER = 2,
};

#endif
