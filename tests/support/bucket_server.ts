/** A server with one bucket, by the protocol that S3-compatible stores speak. */
import S3rver from "s3rver";

export interface BucketServer extends AsyncDisposable {
  /** Of an API whose files stand there. */
  readonly variables: Readonly<Record<string, string>>;
}

export async function bucketServer(directory: string): Promise<BucketServer> {
  await Deno.mkdir(directory, { recursive: true });
  const server = new S3rver({
    port: 0,
    address: "127.0.0.1",
    silent: true,
    directory,
    configureBuckets: [{ name: "files", configs: [] }],
  });
  const { port } = await server.run();
  return {
    variables: {
      STORAGE_URL: `http://127.0.0.1:${port}/files/below`,
      STORAGE_ACCESS_KEY_ID: "S3RVER",
      STORAGE_SECRET_ACCESS_KEY: "S3RVER",
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
