/** Tests which settings the start warns about. */
import { expect, it } from "vitest";
import { startupWarnings } from "./startup-warnings.ts";

it.each([
  ["nothing to warn about", { publicUrl: "https://talkback.example", host: "127.0.0.1", trustProxy: ["127.0.0.1"] }, {}, []],
  ["a loopback address without https", { publicUrl: "http://localhost:3000", host: "127.0.0.1", trustProxy: [] }, { isPublicUrlSet: false }, []],
  ["https without a trusted proxy", { publicUrl: "https://talkback.example", host: "127.0.0.1", trustProxy: [] }, {}, [/TRUST_PROXY is empty/]],
  ["http on a network", { publicUrl: "http://10.0.0.5:3000", host: "0.0.0.0", trustProxy: [] }, {}, [/is not https/]],
  ["all addresses without PUBLIC_URL", { publicUrl: "http://localhost:3000", host: "0.0.0.0", trustProxy: [] }, { isPublicUrlSet: false }, [/Set PUBLIC_URL/]],
  ["root", { publicUrl: "http://localhost:3000", host: "127.0.0.1", trustProxy: [] }, { isRoot: true }, [/Running as root/]],
])("%s", (_title, config, environment, expected) => {
  const warnings = startupWarnings(config, { isRoot: false, isPublicUrlSet: true, ...environment }).map((lines) => lines.join(" "));
  expect(warnings).toHaveLength(expected.length);
  expected.forEach((pattern, index) => expect(warnings[index]).toMatch(pattern));
});
