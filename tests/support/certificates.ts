/** A certificate authority of a test's own, and certificates for any name, made by the openssl program. */
import { installed } from "./installed.ts";

export const openssl = (): string | null =>
  installed(["/usr/bin/openssl", "/usr/local/bin/openssl"], "openssl");

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export interface Authority {
  /** In PEM. */
  readonly ca: string;
  certificateFor(subject: string): Promise<Certificate>;
}

/** Files go to the folder. */
export async function makeAuthority(folder: string): Promise<Authority> {
  const [caKey, caCert] = [`${folder}/ca.key`, `${folder}/ca.pem`];
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await run([
    ...["req", "-x509", ...newKey, "-keyout", caKey, "-out", caCert, "-days", "2"],
    ...["-subj", "/CN=Test CA", "-addext", "keyUsage=keyCertSign"],
  ]);
  let count = 0;
  return {
    ca: await Deno.readTextFile(caCert),
    async certificateFor(subject) {
      count += 1;
      const path = `${folder}/${count}`;
      await run([
        ...["req", "-x509", ...newKey, "-CA", caCert, "-CAkey", caKey],
        ...["-keyout", `${path}.key`, "-out", `${path}.pem`, "-days", "1", "-subj", "/CN=test"],
        ...["-addext", `subjectAltName=${subject}`, "-addext", "basicConstraints=CA:FALSE"],
      ]);
      return {
        key: await Deno.readTextFile(`${path}.key`),
        cert: await Deno.readTextFile(`${path}.pem`),
      };
    },
  };
}

async function run(args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(openssl() ?? "", {
    args: [...args],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}
