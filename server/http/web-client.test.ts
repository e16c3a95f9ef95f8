/** Tests the content security policy: pages may load only their own resources, and inline only one known style sheet. */
import Fastify from "fastify";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { addSecurityHeaders, STYLE_HASHES } from "./web-client.ts";

async function loadPolicy(publicUrl: string) {
  const app = Fastify();
  await addSecurityHeaders(app, publicUrl);
  app.get("/", () => "page");
  const policy = String((await app.inject("/")).headers["content-security-policy"]);
  return new Map(policy.split(";").map((part) => [part.split(" ")[0], part.split(" ").slice(1)]));
}

it("the policy allows scripts, audio and connections only of this service", async () => {
  const policy = await loadPolicy("https://talkback.test");
  expect(policy.get("default-src")).toEqual(["'none'"]);
  for (const name of ["script-src", "connect-src"]) expect(policy.get(name), name).toEqual(["'self'"]);
  // Images and audio may also be blob URLs, for previews before upload.
  for (const name of ["img-src", "media-src"]) expect(policy.get(name), name).toEqual(["'self'", "blob:"]);
  expect([...policy.values()].flat()).not.toContain("'unsafe-inline'");
});

it("the policy allows the style sheet that the installed wavesurfer adds", async () => {
  const source = readFileSync("node_modules/wavesurfer.js/dist/wavesurfer.esm.js", "utf8");
  const start = source.lastIndexOf(">", source.indexOf(":host {")) + 1;
  const text = source.slice(start, source.indexOf("</style>", start));
  const style = text.replaceAll(/\$\{[^}]*\}/g, "128").replaceAll("\\n", "\n");
  expect(STYLE_HASHES.waveform).toBe(hashOf(style));
  expect((await loadPolicy("http://127.0.0.1:3000")).get("style-src")).toEqual(["'self'", ...Object.values(STYLE_HASHES)]);
});

it("the policy allows the style sheet that the installed react-aria adds on iOS", () => {
  const source = readFileSync("node_modules/react-aria/dist/private/overlays/usePreventScroll.mjs", "utf8");
  const [, style = ""] = /textContent = `\n(@layer[^`]*)`\.trim\(\)/.exec(source) ?? [];
  expect(STYLE_HASHES.dialog).toBe(hashOf(style.trim()));
});

const hashOf = (style: string) => `'sha256-${createHash("sha256").update(style).digest("base64")}'`;
