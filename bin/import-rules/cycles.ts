/** Finds cycles in an import graph (Tarjan's strongly connected components, without recursion). */

/** Returns one cycle per strongly connected component, as a path along actual imports. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  return findComponents(graph).flatMap((component) => {
    const cycle = findShortestCycle(component, graph);
    return cycle ? [cycle] : [];
  });
}

function findComponents(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const onStack = new Set<string>();
  const stack: string[] = [];
  const components: string[][] = [];
  const openNode = (node: string) => {
    index.set(node, index.size);
    low.set(node, index.get(node) ?? 0);
    stack.push(node);
    onStack.add(node);
    return { node, next: 0 };
  };
  for (const start of graph.keys()) {
    if (index.has(start)) continue;
    const frames = [openNode(start)];
    for (let top = frames.at(-1); top; top = frames.at(-1)) {
      const { node } = top;
      const target = graph.get(node)?.[top.next];
      top.next += 1;
      if (target !== undefined) {
        if (!index.has(target)) frames.push(openNode(target));
        else if (onStack.has(target)) low.set(node, Math.min(low.get(node) ?? 0, index.get(target) ?? 0));
        continue;
      }
      frames.pop();
      const parent = frames.at(-1)?.node;
      if (parent !== undefined) low.set(parent, Math.min(low.get(parent) ?? 0, low.get(node) ?? 0));
      if (low.get(node) === index.get(node)) components.push(popComponent(stack, onStack, node));
    }
  }
  return components;
}

function popComponent(stack: string[], onStack: Set<string>, last: string): string[] {
  const component = stack.splice(stack.lastIndexOf(last));
  for (const node of component) onStack.delete(node);
  return component;
}

/** Returns the shortest path from the component's first file back to itself. */
function findShortestCycle(component: readonly string[], graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const members = new Set(component);
  const [start = ""] = component.toSorted();
  const from = new Map<string, string>();
  const queue = [start];
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    for (const target of graph.get(node) ?? []) {
      if (target === start) return pathTo(node, from);
      if (!members.has(target) || from.has(target)) continue;
      from.set(target, node);
      queue.push(target);
    }
  }
  return null;
}

function pathTo(node: string, from: ReadonlyMap<string, string>): string[] {
  const path = [node];
  for (let at = from.get(node); at !== undefined; at = from.get(at)) path.unshift(at);
  return path;
}
