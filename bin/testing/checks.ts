/** Checks other than tests: lint, format, types, layers, unused code, dependencies, build, first load. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findProblems, type Lock, type Manifest } from "../dependencies/dependencies.ts";
import { checkImports, readTree } from "../import-rules/check-imports.ts";
import { ensureBuilt } from "../lib/build.mjs";
import { runQuietly } from "../lib/child.mjs";
import { kilobytes, measureFirstLoad } from "./budget.ts";
import { failedResult, PASSED, type StepResult, type Step } from "./steps.ts";

/** Returns a step that runs a package's command-line script. */
function runTool(root: string, script: string, args: readonly string[], hint: string): () => Promise<StepResult> {
  return async () => {
    const { code, output } = await runQuietly(process.execPath, [join(root, "node_modules", script), ...args], { cwd: root, env: plainEnvironment() });
    return code === 0 ? PASSED : failedResult(`${output.trim()}\n\n${hint}`);
  };
}

/** Returns the environment for tools, without colors, because the steps print their output. */
export const plainEnvironment = (overrides: Record<string, string> = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  NO_COLOR: "1",
  FORCE_COLOR: "0",
  ...overrides,
});

/** Fewer modules or imports mean that the check read the wrong folder. */
const MINIMUM = { modules: 300, imports: 1_000 };

async function checkLayers(root: string): Promise<StepResult> {
  const { moduleCount, importCount, violations } = checkImports(readTree(root));
  if (moduleCount < MINIMUM.modules || importCount < MINIMUM.imports)
    return failedResult(`Only ${moduleCount} modules with ${importCount} imports were read: this is not the whole project.`);
  if (violations.length > 0) return failedResult(violations.map(({ path, line, message }) => `${path}:${line} ${message}`).join("\n"));
  return { ...PASSED, note: `${importCount} imports in ${moduleCount} modules` };
}

async function checkDependencies(root: string): Promise<StepResult> {
  const [manifest, lock, document] = ["package.json", "package-lock.json", "docs/dependencies.md"].map((name) => readFileSync(join(root, name), "utf8"));
  const problems = findProblems(JSON.parse(manifest!) as Manifest, (JSON.parse(lock!) as { packages: Lock }).packages, document!);
  return problems.length > 0 ? failedResult(problems.join("\n")) : PASSED;
}

async function checkFirstLoad(root: string): Promise<StepResult> {
  const { bytes, violations } = measureFirstLoad(join(root, "dist"), readTree(root));
  return violations.length > 0 ? failedResult(violations.join("\n")) : { ...PASSED, note: `${kilobytes(bytes)} of JavaScript` };
}

/** Checks that are independent and may run in parallel. */
export const staticChecks = (root: string): Step[] => [
  { name: "lint", run: runTool(root, "oxlint/bin/oxlint", ["--quiet", "--format", "stylish"], "Some of these can be fixed by: npm run lint:fix") },
  { name: "types", run: runTool(root, "typescript/bin/tsc", ["-p", ".", "--pretty", "false"], "tsc -p . shows the same.") },
  { name: "format", run: runTool(root, "oxfmt/bin/oxfmt", ["--list-different"], "These files are not formatted. Fix with: npm run format") },
  { name: "layers", run: () => checkLayers(root) },
  {
    name: "unused code",
    run: runTool(
      root,
      "knip/bin/knip.js",
      ["--no-progress", "--no-config-hints"],
      "Delete what nothing uses, and declare what is imported; knip.jsonc names the entries.",
    ),
  },
  { name: "dependencies", run: () => checkDependencies(root) },
];

export const buildChecks = (root: string): Step[] => [
  { name: "build", run: async () => (await ensureBuilt(root), PASSED) },
  { name: "first load", run: () => checkFirstLoad(root) },
];
