import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { isInArea, isShortcutAllowed, isUndoKey, NON_TEXT_INPUTS, usesLetterKeys } from "./use-document-keydown.ts";

/** An element that matches selectors of a tag, an attribute, or both. */
class FakeElement extends EventTarget {
  readonly selectors: readonly string[];

  constructor(tag: string, ...attributes: string[]) {
    super();
    this.selectors = [tag, ...attributes.flatMap((attribute) => [`[${attribute}]`, `${tag}[${attribute}]`])];
  }

  closest(selector: string): FakeElement | null {
    return selector.split(", ").some((part) => this.selectors.includes(part)) ? this : null;
  }
}

const PAGE = new FakeElement("body");
const ELEMENTS = {
  page: PAGE,
  button: new FakeElement("button"),
  link: new FakeElement("a", "href"),
  text: new FakeElement("input", "type=text"),
  tempo: new FakeElement("input", "type=text", "inputmode=decimal"),
  area: new FakeElement("textarea"),
  choice: new FakeElement("button", "aria-haspopup=listbox"),
  menu: new FakeElement("div", "role=menu"),
  checkbox: new FakeElement("input", "type=checkbox"),
  slider: new FakeElement("input", "type=range"),
};

let isDialogOpen = false;
const key = (name: string, target: FakeElement, init: Partial<KeyboardEvent> = {}) =>
  ({ key: name, target, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, defaultPrevented: false, ...init }) as unknown as KeyboardEvent;
const elementsWhere = (isAllowed: (element: FakeElement) => boolean) => Object.entries(ELEMENTS).flatMap(([name, element]) => (isAllowed(element) ? name : []));

beforeEach(() => {
  isDialogOpen = false;
  vi.stubGlobal("Element", FakeElement);
  vi.stubGlobal("document", { querySelector: () => (isDialogOpen ? new FakeElement("div", "data-overlay=modal") : null) });
});
afterEach(() => vi.unstubAllGlobals());

test("a shortcut is not allowed in fields and menus", () => {
  expect(elementsWhere((element) => isShortcutAllowed(key("n", element)))).toEqual(["page", "button", "link"]);
});

test("the keys of an area need the focus inside it", () => {
  vi.stubGlobal("Node", FakeElement);
  const area = { current: { contains: (element: unknown) => element === ELEMENTS.button } as unknown as HTMLElement };
  expect(elementsWhere((element) => isInArea(key("m", element), area))).toEqual(["button"]);
  expect(elementsWhere((element) => isInArea(key("m", element), { current: null }))).toEqual([]);
  expect(elementsWhere((element) => isInArea(key("m", element), undefined))).toHaveLength(Object.keys(ELEMENTS).length);
});

test("a shortcut can be allowed in some fields", () => {
  expect(elementsWhere((element) => isShortcutAllowed(key("?", element), NON_TEXT_INPUTS))).toEqual(["page", "button", "link", "checkbox", "slider"]);
  expect(elementsWhere((element) => isShortcutAllowed(key("t", element), "input[inputmode=decimal]"))).toEqual(["page", "button", "link", "tempo"]);
});

test("Space belongs to a focused button or link", () => {
  expect(elementsWhere((element) => isShortcutAllowed(key(" ", element)))).toEqual(["page"]);
});

test.each([{ altKey: true }, { ctrlKey: true }, { metaKey: true }, { defaultPrevented: true }])("no shortcut with %j", (init) => {
  expect(isShortcutAllowed(key("n", PAGE, init))).toBe(false);
});

test("Shift is allowed, since some layouts need it for a sign", () => expect(isShortcutAllowed(key("?", PAGE, { shiftKey: true }))).toBe(true));

test("an open dialog disables shortcuts and undo", () => {
  isDialogOpen = true;
  expect([isShortcutAllowed(key("n", PAGE)), isUndoKey(key("z", PAGE, { ctrlKey: true }))]).toEqual([false, false]);
});

test("undo works wherever no text is edited", () => {
  expect(elementsWhere((element) => isUndoKey(key("z", element, { ctrlKey: true })))).toEqual([
    "page",
    "button",
    "link",
    "choice",
    "menu",
    "checkbox",
    "slider",
  ]);
});

test.each([
  ["z", { ctrlKey: true }, true],
  ["Z", { metaKey: true }, true],
  ["z", {}, false],
  ["y", { ctrlKey: true }, false],
  ["z", { ctrlKey: true, shiftKey: true }, false],
  ["z", { ctrlKey: true, altKey: true }, false],
  ["z", { ctrlKey: true, defaultPrevented: true }, false],
])("%s with %j is the undo key: %j", (name, init, expected) => expect(isUndoKey(key(name, PAGE, init))).toBe(expected));

test("text fields and menus use letter keys, other controls do not", () => {
  expect(elementsWhere((element) => usesLetterKeys(element, NON_TEXT_INPUTS))).toEqual(["text", "tempo", "area", "choice", "menu"]);
  expect([usesLetterKeys(null), usesLetterKeys(new EventTarget())]).toEqual([false, false]);
});
