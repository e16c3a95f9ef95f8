/** What is selected in a listing, and where the keyboard stands: pure moves over the ids in the order in which they are seen. */

export interface Selection {
  ids: ReadonlySet<number>;
  /** From where Shift reaches. */
  anchor: number | null;
  /** Where the keyboard stands; it need not be selected. */
  current: number | null;
}

export const EMPTY_SELECTION: Selection = { ids: new Set(), anchor: null, current: null };

export interface Modifiers {
  /** Adds or takes away instead of choosing anew. */
  toggle?: boolean;
  /** Chooses all from the anchor to here. */
  range?: boolean;
}

const isSameSet = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => a.size === b.size && [...a].every((id) => b.has(id));

/** Everything from one id to the other, both included; only `to` where the other is not there any more. */
function idsBetween(order: readonly number[], from: number | null, to: number): number[] {
  const end = order.indexOf(to);
  const start = from === null ? -1 : order.indexOf(from);
  if (end < 0) return [];
  if (start < 0) return [to];
  return order.slice(Math.min(start, end), Math.max(start, end) + 1);
}

/** A press on a row. */
export function pressRow(selection: Selection, order: readonly number[], id: number, { toggle = false, range = false }: Modifiers = {}): Selection {
  if (range) {
    const idsInRange = idsBetween(order, selection.anchor, id);
    const anchor = selection.anchor !== null && order.includes(selection.anchor) ? selection.anchor : id;
    return { ids: new Set(toggle ? [...selection.ids, ...idsInRange] : idsInRange), anchor, current: id };
  }
  if (!toggle) return { ids: new Set([id]), anchor: id, current: id };
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id, current: id };
}

/** The keyboard goes to a row: it is chosen, or with Shift all up to it, or with Ctrl nothing. */
export function moveSelection(selection: Selection, order: readonly number[], to: number, { toggle = false, range = false }: Modifiers = {}): Selection {
  if (toggle && !range) return { ...selection, current: to };
  // Shift reaches from where the keyboard stood, if nothing was chosen before.
  const base = range && selection.anchor === null ? { ...selection, anchor: selection.current } : selection;
  return pressRow(base, order, to, { range });
}

/** The id `step` further along, held at the ends; the first or last where the keyboard stands nowhere. */
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
 * After the listing has changed: what is gone is not selected any more. Where the row of the keyboard is gone it stands on the one
 * that has taken its place, or on the nearest before it; where none of these is left it stands nowhere, which is at the beginning.
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

/** The next row whose name begins with what was typed; a single letter goes on to the one after `current`, more may stay. */
export function findByPrefix(names: readonly { id: number; name: string }[], current: number | null, text: string): number | undefined {
  const prefix = text.toLocaleLowerCase();
  const index = names.findIndex(({ id }) => id === current);
  const startIndex = text.length > 1 ? Math.max(0, index) : index + 1;
  return [...names.slice(startIndex), ...names.slice(0, startIndex)].find(({ name }) => name.toLocaleLowerCase().startsWith(prefix))?.id;
}
