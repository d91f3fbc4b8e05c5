// A store that speaks S3, with the bucket `logs` and objects below a folder:
//
//     node server.mjs FOLDER
//
// Prints its port, and ends with its standard input.
import process from 'node:process';
import S3rver from '@20minutes/s3rver';

const server = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: process.argv[2],
  configureBuckets: [{ name: 'logs' }],
});
const { port } = await server.run();
console.log(port);
process.stdin.on('end', () => process.exit(0)).resume();
