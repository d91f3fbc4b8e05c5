"""What is in packets of CARLA, and packets made of the messages that salvor exports."""
import re
import struct

# Packets of CARLA: "name:type"; v is a vector, T a text, a list is in brackets, after
# H or I for its count.
PACKETS = {
    'FrameStart': 'id:Q duration:d elapsed:d', 'FrameEnd': '',
    'EventAdd': 'H[database_id:I type:B location:v rotation:v uid:I id:T '
                'attributes:H[type:B id:T value:T]]',
    'EventDel': 'H[database_id:I]',
    'EventParent': 'H[database_id:I database_id_parent:I]',
    'Collision': 'H[id:I database_id1:I database_id2:I is_actor1_hero:? '
                 'is_actor2_hero:?]',
    'Position': 'H[database_id:I location:v rotation:v]',
    'State': 'H[database_id:I is_frozen:? elapsed_time:f state:B]',
    'AnimVehicle': 'H[database_id:I steering:f throttle:f brake:f handbrake:? '
                   'gear:i]',
    'AnimWalker': 'H[database_id:I speed:f]',
    'VehicleLight': 'H[database_id:I state:I]',
    'SceneLight': 'H[light_id:i intensity:f red:f green:f blue:f alpha:f on:? '
                  'type:B]',
    'Kinematics': 'H[database_id:I linear_velocity:v angular_velocity:v]',
    'BoundingBox': 'H[database_id:I origin:v extension:v]',
    'PlatformTime': 'time:d', 'VisualTime': 'time:d',
    'TrafficLightTime': 'H[database_id:I green_time:f yellow_time:f '
                        'red_time:f]',
    'TriggerVolume': 'H[database_id:I origin:v extension:v]',
    'FrameCounter': 'frame_counter:Q',
    'WalkerBones': 'H[database_id:I bones:H[bone:T location:v rotation:v]]',
    'VehicleDoor': 'H[database_id:I door:B is_open:?]',
    'AnimVehicleWheels': 'H[database_id:I wheels:I[location:B steering_angle:f '
                         'tire_rotation:f]]',
    'AnimBiker': 'H[database_id:I forward_speed:f engine_rotation:f]',
    'Weather': 'H[cloudiness:f precipitation:f precipitation_deposits:f '
               'wind_intensity:f sun_azimuth_angle:f sun_altitude_angle:f '
               'fog_density:f fog_distance:f fog_falloff:f wetness:f '
               'scattering_intensity:f mie_scattering_scale:f '
               'rayleigh_scattering_scale:f dust_storm:f]',
}


def fields_of(text):
    """Names and types of the fields of a struct."""
    return re.findall(r'(\w+):([HI]\[[^\[\]]*\]|\S)', text)


def vector_of(channel):
    """What the numbers of its vectors are."""
    vectors = dict(channel.metadata)['vectors']
    return 'd' if vectors == 'f64' or (
        vectors != 'f32' and channel.topic == 'Position') else 'f'


def pack_value(value, kind, vector):
    """The bytes of a value."""
    if kind == 'v':
        return struct.pack('<3' + vector, value.x, value.y, value.z)
    if kind == 'T':
        return struct.pack('<H', len(value.encode())) + value.encode()
    if kind.endswith(']'):
        return struct.pack('<' + kind[0], len(value)) + b''.join(
            pack_struct(one, kind[2:-1], vector) for one in value)
    return struct.pack('<' + kind, value)


def pack_struct(message, fields, vector):
    """The bytes of a struct."""
    return b''.join(pack_value(getattr(message, name), kind, vector)
                    for name, kind in fields_of(fields))


def pack(message, channel):
    """The packet that a message was made of."""
    if message.undecoded:
        return message.undecoded
    fields, vector = PACKETS[channel.topic], vector_of(channel)
    if fields.startswith('H['):
        return pack_value(message.records, fields, vector)
    return pack_struct(message, fields, vector)
