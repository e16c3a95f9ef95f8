/** Parses a module and reports its imports, whether it is a barrel file, and its network access. */
import { parseSync } from "vite";
import { NETWORK_GLOBALS } from "./layers.ts";
import { type AstNode, findModuleState, isNode } from "./module-state.ts";

export interface Import {
  specifier: string;
  line: number;
  /** Type-only import, erased before execution. */
  typeOnly: boolean;
  /** Loaded on demand, by `import()` or as a worker. */
  lazy: boolean;
}

export interface ModuleInfo {
  imports: Import[];
  /** True if every statement is a re-export. */
  isBarrelFile: boolean;
  network: { name: string; line: number }[];
  /** Imports that cannot be checked: a computed specifier or `import.meta.glob`. */
  uncheckable: { construct: string; line: number }[];
  /** What lasts as long as the page, or happens when the module is imported. */
  state: { name: string; construct: string; line: number }[];
}

/** Throws on a syntax error. */
export function readModule(path: string, code: string): ModuleInfo {
  const { program, errors } = parseSync(path, code);
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  const lineAt = lineFinder(code);
  const body = program.body as unknown as AstNode[];
  const state = findModuleState(body).map(({ name, construct, offset }) => ({ name, construct, line: lineAt(offset) }));
  const moduleInfo: ModuleInfo = { imports: [], isBarrelFile: isBarrel(body), network: [], uncheckable: [], state };
  visit(program as unknown as AstNode, null, "", (node, parent, key) => recordNode(node, parent, key, moduleInfo, lineAt));
  return moduleInfo;
}

type Visitor = (node: AstNode, parent: AstNode | null, key: string) => void;

function visit(node: AstNode, parent: AstNode | null, key: string, visitor: Visitor): void {
  visitor(node, parent, key);
  for (const [member, value] of Object.entries(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, node, member, visitor);
  }
}

function recordNode(node: AstNode, parent: AstNode | null, key: string, moduleInfo: ModuleInfo, lineAt: (offset: number) => number): void {
  const line = lineAt(node.start);
  const add = (source: unknown, typeOnly: boolean, lazy = false) => {
    const specifier = literalText(source);
    if (specifier === null) moduleInfo.uncheckable.push({ construct: "an import with a computed address", line });
    else moduleInfo.imports.push({ specifier, line, typeOnly, lazy });
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
      return recordUrl(node, add);
    case "CallExpression":
      if (identifierName(node["callee"]) === "require") add((node["arguments"] as AstNode[])[0], false);
      return;
    case "MemberExpression":
      if (isNode(node["object"]) && node["object"].type === "MetaProperty" && identifierName(node["property"]).startsWith("glob"))
        moduleInfo.uncheckable.push({ construct: "import.meta.glob", line });
      return;
    case "Identifier":
      if (NETWORK_GLOBALS.has(identifierName(node)) && isGlobalUse(node, parent, key)) moduleInfo.network.push({ name: identifierName(node), line });
  }
}

/** `new URL("./worker.ts", import.meta.url)` loads a module as an import does. */
function recordUrl(node: AstNode, add: (source: unknown, typeOnly: boolean, lazy: boolean) => void): void {
  const [urlArgument] = node["arguments"] as AstNode[];
  if (identifierName(node["callee"]) === "URL" && /^\.{1,2}\/.*\.[cm]?[jt]sx?$/.test(literalText(urlArgument) ?? "")) add(urlArgument, false, true);
}

const identifierName = (node: unknown): string => (isNode(node) && node.type === "Identifier" ? (node["name"] as string) : "");

function literalText(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === "TSLiteralType") return literalText(node["literal"]);
  if (node.type === "TemplateLiteral") {
    const quasis = node["quasis"] as { value: { cooked: string } }[];
    return quasis.length === 1 ? (quasis[0]?.value.cooked ?? null) : null;
  }
  return node.type === "Literal" && typeof node["value"] === "string" ? node["value"] : null;
}

function isTypeOnly(node: AstNode, kind: "importKind" | "exportKind"): boolean {
  if (node[kind] === "type") return true;
  const specifiers = (node["specifiers"] ?? []) as AstNode[];
  return specifiers.length > 0 && specifiers.every((specifier) => specifier[kind] === "type");
}

function isBarrel(body: readonly AstNode[]): boolean {
  return (
    body.length > 0 &&
    body.every((statement) => statement.type === "ExportAllDeclaration" || (statement.type === "ExportNamedDeclaration" && isNode(statement["source"])))
  );
}

const GLOBAL_OBJECTS = new Set(["globalThis", "window", "self", "navigator"]);
/** Parents in which an identifier only names a member, a label, an import or an export. */
const NAMING_PARENTS = new Set([
  "MethodDefinition",
  "PropertyDefinition",
  "ImportSpecifier",
  "ExportSpecifier",
  "LabeledStatement",
  "BreakStatement",
  "ContinueStatement",
]);

/** Returns whether an identifier refers to the global. A parameter or variable of that name counts too, so it needs another name. */
function isGlobalUse(node: AstNode, parent: AstNode | null, key: string): boolean {
  if (!parent) return false;
  if (parent.type === "MemberExpression" && key === "property") return parent["computed"] === true || GLOBAL_OBJECTS.has(identifierName(parent["object"]));
  if (parent.type === "Property") return key === "value" || parent["computed"] === true;
  if (parent.type.startsWith("TS")) return /^TS(As|Satisfies|NonNull)Expression$/.test(parent.type);
  if (identifierName(node) === "sendBeacon") return false;
  return !NAMING_PARENTS.has(parent.type);
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
