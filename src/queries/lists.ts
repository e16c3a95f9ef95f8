/** Updates of cached lists whose items have ids; a list that is not loaded stays undefined. */

interface Item {
  id: number;
}

/** Returns an update that adds the item or replaces it. */
export const upsertById =
  <T extends Item>(item: T) =>
  (items: T[] | undefined): T[] | undefined => {
    if (!items) return items;
    const index = items.findIndex(({ id }) => id === item.id);
    return index < 0 ? [...items, item] : items.with(index, item);
  };

/** Returns an update that changes an item's members; an unknown item is not added, because a change does not carry the full record. */
export const patchById =
  (change: Item & Record<string, unknown>) =>
  <T extends Item>(items: T[] | undefined): T[] | undefined =>
    items?.map((item) => (item.id === change.id ? { ...item, ...change } : item));

/** Returns an update that removes the item. */
export const removeById =
  (id: number) =>
  <T extends Item>(items: T[] | undefined): T[] | undefined =>
    items?.filter((item) => item.id !== id);
