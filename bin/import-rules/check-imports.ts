/** Checks the project's imports against the layer table. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix, relative, sep } from "node:path";
import { findCycles } from "./cycles.ts";
import {
  DEFAULT_HINT,
  FIXTURE_FILE,
  HINTS,
  LAYERS,
  MODULE_STATE,
  NETWORK_HINT,
  NETWORK_MODULES,
  NETWORK_PATHS,
  PACKAGE_OWNERS,
  PRODUCTION_PATHS,
  STATE_HINT,
  STATELESS_PATHS,
  TEST_ALLOWANCES,
  TEST_FILE,
  TYPE_LIST,
} from "./layers.ts";
import { type Import, type ModuleInfo, readModule } from "./read-module.ts";

const FOLDERS = ["contract", "src", "server", "bin", "e2e", "bench", "tools", "docs"];
export const CODE = /\.[cm]?[jt]sx?$/;

/** Maps paths relative to the root, with slashes, to file contents. Only code and package.json need theirs; others (styles, images) may be empty. */
export type Sources = ReadonlyMap<string, string>;

interface Violation {
  path: string;
  line: number;
  message: string;
}

interface ImportReport {
  /** Number of modules read. */
  moduleCount: number;
  /** Number of imports between those modules that were checked. */
  importCount: number;
  violations: Violation[];
}

interface LayerMatch {
  layer: string;
  folder: string;
}

/** Reports every import that the table does not allow; a pure function of the sources. */
export function checkImports(sources: Sources): ImportReport {
  const violations: Violation[] = [];
  const graph = new Map<string, string[]>();
  const { devDependencies = {} } = JSON.parse(sources.get("package.json") || "{}") as { devDependencies?: Record<string, string> };
  let importCount = 0;
  for (const [path, code] of sources) {
    if (!CODE.test(path)) continue;
    const moduleInfo = readModule(path, code);
    const { targets, violations: moduleViolations } = checkModule(path, moduleInfo, sources, new Set(Object.keys(devDependencies)));
    violations.push(...moduleViolations);
    graph.set(path, targets);
    importCount += targets.length;
  }
  for (const cycle of findCycles(graph)) {
    violations.push({
      path: cycle[0] ?? "",
      line: 1,
      message: `imports itself in a circle: ${[...cycle, cycle[0]].join(" -> ")}. Move what both ends need to a file of its own.`,
    });
  }
  return {
    moduleCount: graph.size,
    importCount,
    violations: violations.toSorted((left, right) => left.path.localeCompare(right.path) || left.line - right.line),
  };
}

function checkModule(
  path: string,
  moduleInfo: ModuleInfo,
  sources: Sources,
  devDependencies: ReadonlySet<string>,
): { targets: string[]; violations: Violation[] } {
  const violations: Violation[] = [];
  const targets: string[] = [];
  const addViolation = (line: number, message: string) => violations.push({ path, line, message });
  if (!findLayer(path)) addViolation(1, "belongs to no layer in the table. Move it, or add its layer in bin/import-rules/layers.ts and docs/architecture.md.");
  if (moduleInfo.isBarrelFile) addViolation(1, "only passes on what other files export. Import from those files, and delete this one.");
  if (!isTool(path))
    for (const { construct, line } of moduleInfo.uncheckable) addViolation(line, `has ${construct}, which nobody can check. Write the address out.`);
  if (!canCallNetwork(path)) for (const { name, line } of moduleInfo.network) addViolation(line, `uses ${name}. ${NETWORK_HINT}`);
  if (STATELESS_PATHS.test(path) && !isTool(path))
    for (const { name, construct, line } of moduleInfo.state)
      if (!MODULE_STATE[path]?.names.includes(name)) addViolation(line, `has ${construct}${name && ` (${name})`}. ${STATE_HINT}`);
  for (const imported of moduleInfo.imports) {
    if (imported.specifier.startsWith(".") || imported.specifier.startsWith("/")) {
      const target = posix.normalize(posix.join(posix.dirname(path), imported.specifier)).replace(/\?.*$/, "");
      if (!sources.has(target)) {
        addViolation(imported.line, `imports ${imported.specifier}, which is no file of the project.`);
        continue;
      }
      if (CODE.test(target) && !(imported.typeOnly && TYPE_LIST.test(path))) targets.push(target);
      const message = importViolation(path, target, imported);
      if (message) addViolation(imported.line, message);
    } else {
      const message = packageViolation(path, imported, devDependencies);
      if (message) addViolation(imported.line, message);
    }
  }
  return { targets, violations };
}

const isTestCode = (path: string): boolean => TEST_FILE.test(path) || FIXTURE_FILE.test(path);
const isTool = (path: string): boolean => path.startsWith("bin/") || isTestCode(path);
const canCallNetwork = (path: string): boolean => NETWORK_PATHS.test(path) || isTestCode(path);

/** Returns the layer of a file, or null if no layer matches. */
function findLayer(path: string): LayerMatch | null {
  for (const [layer, { path: pattern }] of Object.entries(LAYERS)) {
    const match = pattern.exec(path);
    if (match) return { layer, folder: match.groups?.["own"] ?? "" };
  }
  return null;
}

function importViolation(path: string, target: string, { typeOnly }: Import): string | null {
  const from = findLayer(path);
  const to = findLayer(target);
  if (!from || !to) return null;
  const describe = (rule: string) => `imports ${target}: ${rule} ${HINTS[to.layer] ?? DEFAULT_HINT}`;
  if (TEST_FILE.test(target)) return describe("a test is imported by nobody.");
  if (FIXTURE_FILE.test(target) && !isTestCode(path)) return describe("only tests and other fixtures may use a fixture.");
  const { allowed = [], allowedTypes = [], siblings = {} } = LAYERS[from.layer] ?? {};
  if (from.layer === to.layer) {
    const isAllowed = from.folder === to.folder || siblings[from.folder]?.includes(to.folder) || isTestCode(path);
    return isAllowed ? null : describe(`${from.layer}/${from.folder} must not know ${to.layer}/${to.folder}.`);
  }
  if (allowed.includes(to.layer)) return null;
  if (isTestCode(path) && TEST_ALLOWANCES.some((allowance) => allowance.path.test(path) && allowance.allowed.includes(to.layer))) return null;
  if (allowedTypes.includes(to.layer)) return typeOnly ? null : describe(`${from.layer} may import only types of ${to.layer} (import type).`);
  return describe(`${from.layer} must not know ${to.layer}.`);
}

function packageViolation(path: string, { specifier, typeOnly }: Import, devDependencies: ReadonlySet<string>): string | null {
  if (typeOnly || isTestCode(path)) return null;
  if (NETWORK_MODULES.test(specifier) && !canCallNetwork(path)) return `imports ${specifier}. ${NETWORK_HINT}`;
  const [packageName = ""] = /^(@[^/]+\/)?[^/]+/.exec(specifier) ?? [];
  if (PRODUCTION_PATHS.test(path) && devDependencies.has(packageName))
    return `imports ${specifier}, which is not installed in production. Move ${packageName} to "dependencies" in package.json.`;
  const owner = PACKAGE_OWNERS.find(({ packages, layers }) => packages.test(specifier) && !layers.test(path));
  return owner ? `imports ${specifier}. ${owner.hint}` : null;
}

/** Reads all files in the source folders, and the code files in the root. */
export function readTree(root: string): Sources {
  const sources = new Map<string, string>();
  const add = (path: string) =>
    sources.set(relative(root, path).split(sep).join("/"), CODE.test(path) || path === join(root, "package.json") ? readFileSync(path, "utf8") : "");
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    if (entry.isFile() && (CODE.test(entry.name) || entry.name === "package.json")) add(path);
    if (!entry.isDirectory() || !FOLDERS.includes(entry.name)) continue;
    for (const file of readdirSync(path, { recursive: true, withFileTypes: true })) if (file.isFile()) add(join(file.parentPath, file.name));
  }
  return sources;
}
