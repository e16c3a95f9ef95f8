/** Circles in a graph of imports (Tarjan's strongly connected components, without recursion). */

/** One circle for each knot of files that reach each other, each as a way along real edges. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  return knotsOf(graph).flatMap((knot) => {
    const circle = circleIn(knot, graph);
    return circle ? [circle] : [];
  });
}

function knotsOf(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const onStack = new Set<string>();
  const stack: string[] = [];
  const knots: string[][] = [];
  const open = (node: string) => {
    index.set(node, index.size);
    low.set(node, index.get(node) ?? 0);
    stack.push(node);
    onStack.add(node);
    return { node, next: 0 };
  };
  for (const start of graph.keys()) {
    if (index.has(start)) continue;
    const work = [open(start)];
    for (let top = work.at(-1); top; top = work.at(-1)) {
      const { node } = top;
      const target = graph.get(node)?.[top.next];
      top.next += 1;
      if (target !== undefined) {
        if (!index.has(target)) work.push(open(target));
        else if (onStack.has(target)) low.set(node, Math.min(low.get(node) ?? 0, index.get(target) ?? 0));
        continue;
      }
      work.pop();
      const above = work.at(-1)?.node;
      if (above !== undefined) low.set(above, Math.min(low.get(above) ?? 0, low.get(node) ?? 0));
      if (low.get(node) === index.get(node)) knots.push(closeKnot(stack, onStack, node));
    }
  }
  return knots;
}

function closeKnot(stack: string[], onStack: Set<string>, last: string): string[] {
  const knot = stack.splice(stack.lastIndexOf(last));
  for (const node of knot) onStack.delete(node);
  return knot;
}

/** The shortest way from the knot's first file back to itself. */
function circleIn(knot: readonly string[], graph: ReadonlyMap<string, readonly string[]>): string[] | null {
  const inside = new Set(knot);
  const [start = ""] = knot.toSorted();
  const from = new Map<string, string>();
  const queue = [start];
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    for (const target of graph.get(node) ?? []) {
      if (target === start) return wayTo(node, from);
      if (!inside.has(target) || from.has(target)) continue;
      from.set(target, node);
      queue.push(target);
    }
  }
  return null;
}

function wayTo(node: string, from: ReadonlyMap<string, string>): string[] {
  const way = [node];
  for (let at = from.get(node); at !== undefined; at = from.get(at)) way.unshift(at);
  return way;
}
