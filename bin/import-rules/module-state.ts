/** Finds what a module does or keeps beyond its exports: variables, collections and stores that last as long as the page, and side effects of its import. */

export interface AstNode {
  type: string;
  start: number;
  [member: string]: unknown;
}

export const isNode = (value: unknown): value is AstNode => typeof value === "object" && value !== null && typeof (value as AstNode).type === "string";

export interface ModuleState {
  /** Name of the variable; "" for a side effect. */
  name: string;
  construct: string;
  offset: number;
}

const COLLECTIONS = /^(Map|Set|WeakMap|WeakSet)$/;
const STORES = /^create(Store|Emitter|Database)$/;
/** Calls and constructors that start something. */
const EFFECTS = /^(set(Timeout|Interval)|requestAnimationFrame|queueMicrotask|addEventListener|fetch|BroadcastChannel|WebSocket|Worker|SharedWorker)$/;
/** Statements that only name something. */
const DECLARATIONS = /^(Import|Export\w*|Function|Class|Variable|TS\w+)Declaration$|^EmptyStatement$/;
const MUTATIONS = new Set(["set", "add", "delete", "clear", "push", "pop", "shift", "unshift", "splice", "sort", "reverse"]);

/** Returns the state and side effects of a module's top level. A collection that nothing in the module changes is a constant, unless it is exported. */
export function findModuleState(body: readonly AstNode[]): ModuleState[] {
  const mutated = new Set<string>();
  for (const statement of body) collectMutations(statement, mutated);
  return body.flatMap((statement) => {
    if (statement.type === "ImportDeclaration" && (statement["specifiers"] as AstNode[]).length === 0) return importEffect(statement);
    if (!DECLARATIONS.test(statement.type)) return statement["directive"] ? [] : [{ name: "", construct: "a side effect", offset: statement.start }];
    const isExported = statement.type === "ExportNamedDeclaration";
    const declaration = isExported ? (statement["declaration"] as AstNode | null) : statement;
    if (declaration?.type !== "VariableDeclaration") return [];
    return (declaration["declarations"] as AstNode[]).flatMap((variable) => {
      const id = variable["id"] as AstNode;
      const name = nameOf(id);
      const construct =
        declaration["kind"] === "const" ? constantState(variable, isExported, mutated.has(name)) : `a module-level ${String(declaration["kind"])}`;
      return construct ? [{ name, construct, offset: variable.start }] : [];
    });
  });
}

/** A style sheet has no other kind of import. */
function importEffect(statement: AstNode): ModuleState[] {
  const specifier = String((statement["source"] as AstNode)["value"]);
  return specifier.endsWith(".css") ? [] : [{ name: "", construct: "an import for its side effect", offset: statement.start }];
}

function constantState(variable: AstNode, isExported: boolean, isMutated: boolean): string | null {
  const value = variable["init"] as AstNode | null;
  const callee = nameOf(value?.["callee"] as AstNode | undefined);
  if (value?.type === "CallExpression" && STORES.test(callee)) return "a module-level store";
  if (value?.type === "CallExpression" && callee === "memoizeByIdentity") return "a module-level cache";
  if (/^(Call|New)Expression$/.test(value?.type ?? "") && EFFECTS.test(callee)) return `${callee}, which runs at import`;
  if (isMutated) return "a module-level value that it changes";
  const isReadonly = typeName(variable["id"] as AstNode).startsWith("Readonly");
  return value?.type === "NewExpression" && COLLECTIONS.test(callee) && isExported && !isReadonly ? `an exported ${callee} that is not readonly` : null;
}

/** Collects the variables on which a node assigns members or calls methods that change them. */
function collectMutations(node: AstNode, mutated: Set<string>): void {
  const target =
    node.type === "AssignmentExpression" || node.type === "UpdateExpression"
      ? ((node["left"] ?? node["argument"]) as AstNode)
      : node.type === "CallExpression" && MUTATIONS.has(nameOf((node["callee"] as AstNode)["property"] as AstNode | undefined))
        ? (node["callee"] as AstNode)
        : null;
  // A pattern that is matched from a position sets `lastIndex` before each match.
  if (target?.type === "MemberExpression" && nameOf(target["property"] as AstNode) !== "lastIndex") mutated.add(nameOf(rootOf(target)));
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) collectMutations(child, mutated);
  }
}

/** Returns the object at the beginning of a chain of members. */
const rootOf = (node: AstNode): AstNode => (node.type === "MemberExpression" ? rootOf(node["object"] as AstNode) : node);

const nameOf = (node: AstNode | undefined): string => (node?.type === "Identifier" ? String(node["name"]) : "");

function typeName(id: AstNode): string {
  const annotation = (id["typeAnnotation"] as AstNode | null)?.["typeAnnotation"] as AstNode | undefined;
  return nameOf(annotation?.["typeName"] as AstNode | undefined);
}
