/** Computes the selection and the focused entry of a listing, as pure functions over ids in display order. */

export interface Selection {
  ids: ReadonlySet<number>;
  /** Start of a Shift range. */
  anchor: number | null;
  /** The focused entry, which need not be selected. */
  current: number | null;
}

export const EMPTY_SELECTION: Selection = { ids: new Set(), anchor: null, current: null };

export interface Modifiers {
  /** Adds or removes the entry instead of replacing the selection. */
  isToggle?: boolean;
  /** Selects everything from the anchor to the entry. */
  isRange?: boolean;
}

const isSameSet = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => a.size === b.size && [...a].every((id) => b.has(id));

/** Returns the ids from one to the other, both included, or only `to` if `from` no longer exists. */
function idsBetween(order: readonly number[], from: number | null, to: number): number[] {
  const end = order.indexOf(to);
  const start = from === null ? -1 : order.indexOf(from);
  if (end < 0) return [];
  if (start < 0) return [to];
  return order.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** Applies a press on a row. */
export function pressRow(selection: Selection, order: readonly number[], id: number, { isToggle = false, isRange = false }: Modifiers = {}): Selection {
  if (isRange) {
    const idsInRange = idsBetween(order, selection.anchor, id);
    const anchor = selection.anchor !== null && order.includes(selection.anchor) ? selection.anchor : id;
    return { ids: new Set(isToggle ? [...selection.ids, ...idsInRange] : idsInRange), anchor, current: id };
  }
  if (!isToggle) return { ids: new Set([id]), anchor: id, current: id };
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id, current: id };
}

/** Moves the focus to a row. Selects the row, with Shift the range up to it, and with Ctrl nothing. */
export function moveSelection(selection: Selection, order: readonly number[], to: number, { isToggle = false, isRange = false }: Modifiers = {}): Selection {
  if (isToggle && !isRange) return { ...selection, current: to };
  // Without an anchor, the Shift range starts at the focused row.
  const base = isRange && selection.anchor === null ? { ...selection, anchor: selection.current } : selection;
  return pressRow(base, order, to, { isRange });
}

/** Returns the id `step` entries away, clamped to the ends, or the first or last id if no entry is focused. */
export function adjacentId(order: readonly number[], current: number | null, step: number): number | undefined {
  const index = current === null ? -1 : order.indexOf(current);
  if (index < 0) return step > 0 ? order[0] : order.at(-1);
  return order[Math.max(0, Math.min(order.length - 1, index + step))];
}

export const selectAll = (selection: Selection, order: readonly number[]): Selection => ({
  ids: new Set(order),
  anchor: order[0] ?? null,
  current: selection.current ?? order[0] ?? null,
});

export const clearSelection = (selection: Selection): Selection => (selection.ids.size === 0 ? selection : { ...selection, ids: new Set(), anchor: null });

/**
 * Updates the selection after the listing has changed. Entries that are gone are deselected. If the focused row is
 * gone, the focus moves to the next remaining row, or else to the nearest one before it. If none remains, the result
 * is null, which means the first row.
 */
export function reconcileSelection(selection: Selection, before: readonly number[], after: readonly number[]): Selection {
  const existingIds = new Set(after);
  const ids = new Set([...selection.ids].filter((id) => existingIds.has(id)));
  const anchor = selection.anchor !== null && existingIds.has(selection.anchor) ? selection.anchor : null;
  let { current } = selection;
  if (current !== null && !existingIds.has(current)) {
    const index = before.indexOf(current);
    const next = before.slice(index + 1).find((id) => existingIds.has(id));
    const previous = before.slice(0, index).findLast((id) => existingIds.has(id));
    current = index < 0 ? null : (next ?? previous ?? null);
  }
  if (isSameSet(ids, selection.ids) && anchor === selection.anchor && current === selection.current) return selection;
  return { ids, anchor, current };
}

/** Returns the next entry whose name starts with the text. A single letter searches after `current`, and a longer text may stay there. */
export function findByPrefix(names: readonly { id: number; name: string }[], current: number | null, text: string): number | undefined {
  const prefix = text.toLocaleLowerCase();
  const index = names.findIndex(({ id }) => id === current);
  const startIndex = text.length > 1 ? Math.max(0, index) : index + 1;
  return [...names.slice(startIndex), ...names.slice(0, startIndex)].find(({ name }) => name.toLocaleLowerCase().startsWith(prefix))?.id;
}
