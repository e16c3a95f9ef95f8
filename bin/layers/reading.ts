/** Reads a module with a real parser: what it imports, whether it only passes things on, and where it reaches the network. */
import { parseSync } from "vite";
import { NETWORK_GLOBALS } from "./rooms.ts";

export interface Import {
  specifier: string;
  line: number;
  /** Erased before anything runs. */
  typeOnly: boolean;
  /** Loaded later, by `import()` or as a worker. */
  lazy: boolean;
}

export interface Reading {
  imports: Import[];
  /** Every statement only re-exports. */
  barrel: boolean;
  network: { name: string; line: number }[];
  /** Imports that nobody can check: a computed specifier, `import.meta.glob`. */
  unclear: { what: string; line: number }[];
}

interface Node {
  type: string;
  start: number;
  [member: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && typeof (value as Node).type === "string";

/** Throws on a syntax error. */
export function readModule(path: string, code: string): Reading {
  const { program, errors } = parseSync(path, code);
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  const reading: Reading = { imports: [], barrel: isBarrel(program.body as unknown as Node[]), network: [], unclear: [] };
  const lineOf = lineFinder(code);
  visit(program as unknown as Node, null, "", (node, parent, key) => note(node, parent, key, reading, lineOf));
  return reading;
}

type Visitor = (node: Node, parent: Node | null, key: string) => void;

function visit(node: Node, parent: Node | null, key: string, visitor: Visitor): void {
  visitor(node, parent, key);
  for (const [member, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node, member, visitor);
  }
}

function note(node: Node, parent: Node | null, key: string, reading: Reading, lineOf: (offset: number) => number): void {
  const line = lineOf(node.start);
  const add = (source: unknown, typeOnly: boolean, lazy = false) => {
    const specifier = textOf(source);
    if (specifier === null) reading.unclear.push({ what: "an import with a computed address", line });
    else reading.imports.push({ specifier, line, typeOnly, lazy });
  };
  switch (node.type) {
    case "ImportDeclaration":
      return add(node["source"], isTypeOnly(node, "importKind"));
    case "ExportAllDeclaration":
      return add(node["source"], node["exportKind"] === "type");
    case "ExportNamedDeclaration":
      return node["source"] ? add(node["source"], isTypeOnly(node, "exportKind")) : undefined;
    case "ImportExpression":
      return add(node["source"], false, true);
    case "TSImportType":
      return add(node["source"], true);
    case "TSExternalModuleReference":
      return add(node["expression"], false);
    case "NewExpression":
      return noteAddress(node, add);
    case "CallExpression":
      if (nameOf(node["callee"]) === "require") add((node["arguments"] as Node[])[0], false);
      return;
    case "MemberExpression":
      if (isNode(node["object"]) && node["object"].type === "MetaProperty" && nameOf(node["property"]).startsWith("glob"))
        reading.unclear.push({ what: "import.meta.glob", line });
      return;
    case "Identifier":
      if (NETWORK_GLOBALS.has(nameOf(node)) && isGlobalUse(node, parent, key)) reading.network.push({ name: nameOf(node), line });
  }
}

/** `new URL("./worker.ts", import.meta.url)` loads a module as an import does. */
function noteAddress(node: Node, add: (source: unknown, typeOnly: boolean, lazy: boolean) => void): void {
  const [address] = node["arguments"] as Node[];
  if (nameOf(node["callee"]) === "URL" && /^\.{1,2}\/.*\.[cm]?[jt]sx?$/.test(textOf(address) ?? "")) add(address, false, true);
}

const nameOf = (node: unknown): string => (isNode(node) && node.type === "Identifier" ? (node["name"] as string) : "");

function textOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "TSLiteralType") return textOf(node["literal"]);
  if (node.type === "TemplateLiteral") {
    const quasis = node["quasis"] as { value: { cooked: string } }[];
    return quasis.length === 1 ? (quasis[0]?.value.cooked ?? null) : null;
  }
  return node.type === "Literal" && typeof node["value"] === "string" ? node["value"] : null;
}

function isTypeOnly(node: Node, kind: "importKind" | "exportKind"): boolean {
  if (node[kind] === "type") return true;
  const specifiers = (node["specifiers"] ?? []) as Node[];
  return specifiers.length > 0 && specifiers.every((one) => one[kind] === "type");
}

function isBarrel(body: readonly Node[]): boolean {
  return body.length > 0 && body.every((one) => one.type === "ExportAllDeclaration" || (one.type === "ExportNamedDeclaration" && isNode(one["source"])));
}

const GLOBAL_OBJECTS = new Set(["globalThis", "window", "self", "navigator"]);
/** Where a name is only a name: of a member, a parameter, a type. */
const NAMING = new Set([
  "MethodDefinition",
  "PropertyDefinition",
  "ImportSpecifier",
  "ExportSpecifier",
  "LabeledStatement",
  "BreakStatement",
  "ContinueStatement",
]);

/** Whether a name means the global. A parameter or variable of that name counts as well: choose another name for it. */
function isGlobalUse(node: Node, parent: Node | null, key: string): boolean {
  if (!parent) return false;
  if (parent.type === "MemberExpression" && key === "property") return parent["computed"] === true || GLOBAL_OBJECTS.has(nameOf(parent["object"]));
  if (parent.type === "Property") return key === "value" || parent["computed"] === true;
  if (parent.type.startsWith("TS")) return /^TS(As|Satisfies|NonNull)Expression$/.test(parent.type);
  if (nameOf(node) === "sendBeacon") return false;
  return !NAMING.has(parent.type);
}

function lineFinder(code: string): (offset: number) => number {
  const starts = [0];
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}
