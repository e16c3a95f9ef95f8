/** Reads a Dockerfile and runs its steps in folders instead of images, on machines without Docker: what it copies, its commands, its health check. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export interface Step {
  instruction: string;
  /** Without the line breaks of the file. */
  text: string;
}

/** Splits a Dockerfile into its steps. */
export function readSteps(dockerfile: string): Step[] {
  const lines = dockerfile
    .split("\n")
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  return lines.map((line) => {
    const [, instruction = "", text = ""] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    return { instruction: instruction.toUpperCase(), text };
  });
}

/** `*` also stands for names that begin with a dot, as Docker reads it. */
const toPattern = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll("**/", "(.*/)?")
      .replaceAll(/(?<![.)])\*/g, "[^/]*")}$`,
  );

/** Returns whether a path of the context is sent to the build: the last pattern that matches it, or a folder above it, decides. */
export function createIgnore(dockerignore: string): (path: string) => boolean {
  const lines = dockerignore.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
  const patterns = lines.map((line) => ({ isException: line.startsWith("!"), pattern: toPattern(line.replace(/^!/, "")) }));
  return (path) => {
    const parts = path.split("/");
    const prefixes = parts.map((_, index) => parts.slice(0, index + 1).join("/"));
    return patterns.reduce((isIgnored, { isException, pattern }) => (prefixes.some((prefix) => pattern.test(prefix)) ? !isException : isIgnored), false);
  };
}

export interface Image {
  /** What is `/` in the image. */
  root: string;
  workdir: string;
  user: string;
  environment: Record<string, string>;
  command: string[];
  healthcheck: string[];
}

/** What the machine needs to reach its package registry. */
const NETWORK_VARIABLES = /^(npm_config_.*|node_extra_ca_certs|ssl_cert_(file|dir)|https?_proxy|no_proxy)$/i;
const networkEnvironment = (): Record<string, string | undefined> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => NETWORK_VARIABLES.test(name)));

const toPath = (root: string, workdir: string, path: string): string => (path.startsWith("/") ? join(root, path) : join(root, workdir, path));
const readJson = (text: string): string[] => JSON.parse(text.slice(text.indexOf("["))) as string[];

/**
 * Builds the last stage below `folder`. `RUN` steps run with `PATH` and see absolute paths of the image below its folder; `chown` does nothing, because the
 * users of the base image are not there.
 */
export function buildImage(context: string, folder: string, path: string): Image {
  const ignores = createIgnore(readFileSync(join(context, ".dockerignore"), "utf8"));
  const shims = join(folder, "shims");
  mkdirSync(shims, { recursive: true });
  writeFileSync(join(shims, "chown"), "#!/bin/sh\n", { mode: 0o755 });
  const stages = new Map<string, Image>();
  let image: Image | null = null;
  for (const { instruction, text } of readSteps(readFileSync(join(context, "Dockerfile"), "utf8"))) {
    if (instruction === "FROM") {
      const [, name = `stage-${stages.size}`] = / AS (\S+)$/i.exec(text) ?? [];
      image = { root: join(folder, name), workdir: "/", user: "root", environment: {}, command: [], healthcheck: [] };
      stages.set(name, image);
      continue;
    }
    if (!image) throw new Error(`${instruction} comes before FROM`);
    const { root, workdir, environment } = image;
    if (instruction === "WORKDIR") mkdirSync(join(root, text), { recursive: true });
    if (instruction === "WORKDIR") image.workdir = text;
    else if (instruction === "ENV") for (const [, name = "", value = ""] of text.matchAll(/(\w+)=(\S+)/g)) environment[name] = value;
    else if (instruction === "USER") image.user = text;
    else if (instruction === "CMD") image.command = readJson(text);
    else if (instruction === "HEALTHCHECK") image.healthcheck = readJson(text);
    else if (instruction === "RUN") {
      const command = text.replaceAll(/(?<=\s)\/(app|data)\b/g, (absolute) => join(root, absolute));
      execFileSync("/bin/sh", ["-c", command], {
        cwd: join(root, workdir),
        env: { ...networkEnvironment(), ...environment, PATH: `${shims}:${path}`, HOME: process.env["HOME"] ?? folder },
        stdio: ["ignore", "inherit", "inherit"],
      });
    } else if (instruction === "COPY") {
      const [, from] = /^--from=(\S+) /.exec(text) ?? [];
      const names = text.replace(/^--from=\S+ /, "").split(/\s+/);
      const target = names.pop()!;
      const stage = from === undefined ? null : stages.get(from);
      if (stage === undefined) throw new Error(`COPY knows no stage ${from}`);
      for (const name of names)
        copy(stage ? toPath(stage.root, stage.workdir, name) : join(context, name), toPath(root, workdir, target), target.endsWith("/"));
    } else if (!["EXPOSE", "VOLUME"].includes(instruction)) throw new Error(`The step ${instruction} is unknown here`);
  }
  if (!image) throw new Error("The Dockerfile has no stages");
  return image;

  function copy(source: string, target: string, isFolder: boolean): void {
    if (!existsSync(source)) throw new Error(`COPY: ${source} is missing`);
    const isInContext = !source.startsWith(folder);
    const to = lstatSync(source).isFile() && isFolder ? join(target, source.split("/").at(-1)!) : target;
    mkdirSync(dirname(to), { recursive: true });
    if (!isInContext || lstatSync(source).isFile()) return cpSync(source, to, { recursive: true, verbatimSymlinks: true });
    for (const entry of globSync("**", { cwd: source, exclude: (name) => name === "node_modules" || name === ".git" })) {
      const file = join(source, entry);
      if (!lstatSync(file).isFile() || ignores(relative(context, file))) continue;
      mkdirSync(dirname(join(to, entry)), { recursive: true });
      cpSync(file, join(to, entry));
    }
  }
}
