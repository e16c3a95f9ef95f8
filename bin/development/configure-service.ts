import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Plugin } from "vite";
import { toBaseUrl } from "../../contract/base-url.ts";

/**
 * Writes the address in `VITE_SERVICE_URL` to the client's `config.json`, which the service of the page reads for the page's content security policy. An
 * address that is none ends the build before it begins.
 */
export function configureService(address: string | undefined): Plugin {
  return {
    name: "configure-service",
    apply: "build",
    configResolved() {
      if (address) parse(address);
    },
    async writeBundle({ dir: folder = "dist" }) {
      if (address) await writeFile(join(folder, "config.json"), `${JSON.stringify({ service_url: parse(address) })}\n`);
    },
  };
}

function parse(address: string): string {
  try {
    return toBaseUrl(address);
  } catch {
    const expected = "an http(s) address without username, password, query and fragment, such as https://service.example";
    throw new Error(`VITE_SERVICE_URL must be ${expected}. It is "${address.replace(/\/\/.*@/, "//…@")}".`);
  }
}
