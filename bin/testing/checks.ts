/** The part without tests: lint, format, types, layers, unused code, first load. */
import { join } from "node:path";
import { ensureBuilt } from "../lib/build.mjs";
import { runQuietly } from "../lib/child.mjs";
import { judge } from "../layers/judge.ts";
import { readTree } from "../layers/tree.ts";
import { kilobytes, measure } from "./budget.ts";
import { failedWith, PASSED, type Result, type Step } from "./steps.ts";

/** A tool of a package, as its `bin` names it. */
function tool(root: string, script: string, args: readonly string[], wayOut: string): () => Promise<Result> {
  return async () => {
    const { code, output } = await runQuietly(process.execPath, [join(root, "node_modules", script), ...args], { cwd: root, env: plainEnvironment() });
    return code === 0 ? PASSED : failedWith(`${output.trim()}\n\n${wayOut}`);
  };
}

/** No colors: the output is shown inside ours. */
export const plainEnvironment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({ ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", ...more });

/** A check that reads fewer modules or imports than this has read the wrong folder. */
const MINIMUM = { modules: 300, imports: 1_000 };

async function layers(root: string): Promise<Result> {
  const { read, arrows, faults } = judge(readTree(root));
  if (read < MINIMUM.modules || arrows < MINIMUM.imports)
    return failedWith(`Only ${read} modules with ${arrows} imports were read: this is not the whole project.`);
  if (faults.length > 0) return failedWith(faults.map(({ path, line, message }) => `${path}:${line} ${message}`).join("\n"));
  return { ...PASSED, note: `${arrows} imports in ${read} modules` };
}

async function firstLoad(root: string): Promise<Result> {
  const { bytes, faults } = measure(join(root, "dist"), readTree(root));
  return faults.length > 0 ? failedWith(faults.join("\n")) : { ...PASSED, note: `${kilobytes(bytes)} of JavaScript` };
}

/** These do not disturb each other and may run side by side. */
export const staticChecks = (root: string): Step[] => [
  { name: "lint", run: tool(root, "oxlint/bin/oxlint", ["--quiet", "--format", "stylish"], "Some of these mend themselves: npm run lint:fix") },
  { name: "types", run: tool(root, "typescript/bin/tsc", ["-p", ".", "--pretty", "false"], "tsc -p . shows the same.") },
  { name: "format", run: tool(root, "oxfmt/bin/oxfmt", ["--list-different"], "These files are not formatted. Mend with: npm run format") },
  { name: "layers", run: () => layers(root) },
  {
    name: "unused code",
    run: tool(root, "knip/bin/knip.js", ["--no-progress", "--no-config-hints"], "Delete what nothing uses; knip.jsonc names the entries."),
  },
];

export const buildChecks = (root: string): Step[] => [
  { name: "build", run: async () => (await ensureBuilt(root), PASSED) },
  { name: "first load", run: () => firstLoad(root) },
];
