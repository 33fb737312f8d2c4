// A certificate authority for one test run, and certificates that it signs.
import { execFile } from "node:child_process";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface Authority {
  readonly caFile: string;
  /** The certificate is valid for this machine. A second call with the name replaces both files. */
  issue(name: string): Promise<Certificate>;
}

const CURVE = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];

/** The files are kept in `dir`. */
export async function createAuthority(dir: string, name = "authority"): Promise<Authority> {
  const [caFile, caKey] = [join(dir, `${name}.pem`), join(dir, `${name}.key`)];
  await request(`/CN=${name}`, { certFile: caFile, keyFile: caKey });
  return {
    caFile,
    async issue(holder) {
      const made = { certFile: join(dir, `${holder}.pem.new`), keyFile: join(dir, `${holder}.key.new`) };
      const signed = ["-CA", caFile, "-CAkey", caKey, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
      await request(`/CN=${holder}`, made, signed);
      const kept = { certFile: join(dir, `${holder}.pem`), keyFile: join(dir, `${holder}.key`) };
      await rename(made.keyFile, kept.keyFile);
      await rename(made.certFile, kept.certFile);
      return kept;
    },
  };
}

async function request(subject: string, { certFile, keyFile }: Certificate, more: readonly string[] = []) {
  const args = ["req", "-x509", ...CURVE, "-subj", subject, "-keyout", keyFile, "-out", certFile, ...more];
  await promisify(execFile)("openssl", args);
}
