/** Shows a menu on the native popover: top layer, light dismiss, arrow keys, type-ahead by first letter. */
import { Check } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type ToggleEvent, useId, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { classNames } from "../lib/class-names.ts";
import { positionPopover } from "./Floating.tsx";

interface Props {
  label: string;
  /** Content of the button. */
  trigger: ReactNode;
  triggerClassName: string;
  children: ReactNode;
  align?: "start" | "end";
  /** `tabIndex` of the button; -1 where the surrounding widget moves the focus to it. */
  tabIndex?: number;
}

export function Menu({ label, trigger, triggerClassName, children, align = "start", tabIndex }: Props) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  // Items are rendered only while the menu is open, because long lists have a menu in every row.
  const [isOpen, setIsOpen] = useState(false);

  /** Focuses the checked item, else the first enabled one, else a disabled item with its reason. */
  function focusItem() {
    const items = menuItems(list.current!);
    (items.find((item) => item.ariaChecked === "true") ?? items[0] ?? list.current!.querySelector<HTMLElement>("button"))?.focus();
  }

  // Items may arrive after the menu opened, or someone else may delete the focused item.
  useLayoutEffect(() => {
    if (!isOpen || !list.current?.matches(":popover-open")) return;
    positionPopover(list.current, button.current!.getBoundingClientRect(), align);
    if (document.activeElement === document.body) focusItem();
  });

  function onToggle(event: ToggleEvent<HTMLDivElement>) {
    button.current?.setAttribute("aria-expanded", String(event.newState === "open"));
    if (event.newState !== "open") return setIsOpen(false);
    positionPopover(list.current!, button.current!.getBoundingClientRect(), align);
    focusItem();
  }
  function onKeyDown(event: KeyboardEvent) {
    if (event.key === "Tab") list.current?.hidePopover();
    else onMenuKey(event, list.current!);
  }

  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={false}
        popoverTarget={id}
        tabIndex={tabIndex}
        className={triggerClassName}
      >
        {trigger}
      </button>
      <div
        ref={list}
        id={id}
        popover="auto"
        role="menu"
        aria-label={label}
        onBeforeToggle={({ newState }) => {
          if (newState === "open") flushSync(() => setIsOpen(true));
        }}
        onToggle={onToggle}
        onKeyDown={onKeyDown}
        onClick={() => list.current?.hidePopover()}
        className="fixed m-0 min-w-44 rounded-lg bg-raised p-1 text-text shadow-float"
      >
        {isOpen && children}
      </div>
    </>
  );
}

interface ItemProps {
  icon?: ReactNode;
  children: ReactNode;
  onSelect(): void;
  danger?: boolean;
  /** Set for radio items, of which one is checked; undefined for plain actions. */
  checked?: boolean;
  /** Reason why the item is disabled, shown under it. */
  disabledReason?: string | undefined;
}

export function MenuItem({ icon, children, onSelect, danger = false, checked, disabledReason }: ItemProps) {
  return (
    <button
      type="button"
      role={checked === undefined ? "menuitem" : "menuitemradio"}
      aria-checked={checked}
      tabIndex={-1}
      aria-disabled={disabledReason ? true : undefined}
      onClick={disabledReason ? (event) => event.stopPropagation() : onSelect}
      className={classNames(
        "flex min-h-8 w-full items-center gap-2.5 rounded-sm px-2.5 py-1 text-left focus-visible:outline-offset-[-2px]",
        disabledReason ? "cursor-not-allowed text-text-3" : "hover:bg-hover focus:bg-hover",
        danger && !disabledReason && "text-danger",
      )}
    >
      {icon && <span className={danger ? undefined : "text-text-2"}>{icon}</span>}
      <span className="min-w-0 flex-1">
        <span className="block">{children}</span>
        {disabledReason && <span className="block text-xs">{disabledReason}</span>}
      </span>
      {checked && <Check size={16} aria-hidden className="shrink-0" />}
    </button>
  );
}

/** Returns the enabled items of a menu. */
const menuItems = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])')];

/** Moves the focus in a menu by arrows, Home, End and first letters, and returns whether the key was one of them. */
export function onMenuKey(event: KeyboardEvent, menu: HTMLElement): boolean {
  const items = menuItems(menu);
  const currentIndex = items.indexOf(document.activeElement as HTMLElement);
  const step = { ArrowDown: currentIndex + 1, ArrowUp: currentIndex - 1, ArrowRight: currentIndex + 1, ArrowLeft: currentIndex - 1, Home: 0, End: -1 }[
    event.key
  ];
  if (step !== undefined) {
    event.preventDefault();
    items.at(step % items.length)?.focus();
    return true;
  }
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return false;
  const next = [...items.slice(currentIndex + 1), ...items].find((item) => item.textContent?.trim().toLowerCase().startsWith(event.key.toLowerCase()));
  next?.focus();
  return next !== undefined;
}
