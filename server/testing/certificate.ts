/** Creates a self-signed certificate for a test host name. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function createCertificate(name: string): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "talkback-tls-"));
  try {
    const outputArgs = ["-nodes", "-days", "2", "-keyout", join(folder, "key"), "-out", join(folder, "cert")];
    const subjectArgs = ["-subj", `/CN=${name}`, "-addext", `subjectAltName=DNS:${name}`];
    execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", ...outputArgs, ...subjectArgs], { stdio: "ignore" });
    return { key: readFileSync(join(folder, "key"), "utf8"), cert: readFileSync(join(folder, "cert"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
