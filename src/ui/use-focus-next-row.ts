import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Returns a function to call before the row with the focus is removed. Once it is gone, the focus moves to the link of the row that takes its place, or
 * else to the page's heading. `count`: the rows of the list.
 */
export function useFocusNextRow(list: RefObject<HTMLElement | null>, count: number): () => void {
  const removedIndex = useRef(-1);
  useLayoutEffect(() => {
    const index = removedIndex.current;
    removedIndex.current = -1;
    if (index < 0 || document.activeElement !== document.body) return;
    const links = list.current?.querySelectorAll<HTMLElement>("li a") ?? [];
    (links[Math.min(index, links.length - 1)] ?? document.querySelector("h1"))?.focus();
  }, [list, count]);
  return () => {
    const rows = [...(list.current?.querySelectorAll("li") ?? [])];
    removedIndex.current = rows.findIndex((row) => row.contains(document.activeElement));
  };
}
