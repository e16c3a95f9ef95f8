import type { Key } from "react-aria-components/ListBox";
import { Layout, LayoutInfo, Rect, Size } from "react-aria-components/Virtualizer";

/** Pixels; a wider grid has more columns, not larger ones. */
const MAX_CELL_WIDTH = 56;
const MIN_COLUMN_COUNT = 8;
const HEADER_HEIGHT = 26;

/** Positions sections of square cells below their headers, so that only the rows in view are rendered. */
export class EmojiGridLayout extends Layout {
  #infos = new Map<Key, LayoutInfo>();
  #height = 0;

  override update(): void {
    const { collection, size } = this.virtualizer!;
    const columnCount = Math.max(MIN_COLUMN_COUNT, Math.floor(size.width / MAX_CELL_WIDTH));
    const cell = Math.floor(size.width / columnCount);
    this.#infos = new Map();
    let top = 0;
    const add = (type: string, key: Key, rect: Rect, parentKey: Key | null) => {
      const info = new LayoutInfo(type, key, rect);
      info.parentKey = parentKey;
      this.#infos.set(key, info);
      return info;
    };
    for (const section of collection) {
      const sectionInfo = add("section", section.key, new Rect(0, top, size.width, 0), null);
      let index = 0;
      for (const { type, key } of collection.getChildren!(section.key)) {
        if (type === "header") {
          add("header", key, new Rect(0, top, size.width, HEADER_HEIGHT), section.key);
          top += HEADER_HEIGHT;
        } else {
          add("item", key, new Rect((index % columnCount) * cell, top + Math.floor(index / columnCount) * cell, cell, cell), section.key);
          index += 1;
        }
      }
      top += Math.ceil(index / columnCount) * cell;
      sectionInfo.rect.height = top - sectionInfo.rect.y;
    }
    this.#height = top;
  }

  override getVisibleLayoutInfos(rect: Rect): LayoutInfo[] {
    return [...this.#infos.values()].filter((info) => info.rect.intersects(rect) || this.virtualizer!.isPersistedKey(info.key));
  }

  override getLayoutInfo(key: Key): LayoutInfo | null {
    return this.#infos.get(key) ?? null;
  }

  override getContentSize(): Size {
    return new Size(this.virtualizer!.size.width, this.#height);
  }
}
