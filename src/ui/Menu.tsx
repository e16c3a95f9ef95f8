/** Menus, as a popover or, where `ContextMenu` opens on a phone, as a sheet. An item runs after the menu has closed and given the focus back. */
import { Check } from "lucide-react";
import { createContext, type KeyboardEvent, type ReactNode, useContext, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Header, Menu as AriaMenu, MenuItem as AriaMenuItem, MenuSection, Separator } from "react-aria-components/Menu";
import { classNames } from "../lib/class-names.ts";
import { type AnchorRect, Floating, FloatingPopover } from "./Floating.tsx";
import { useReturnFocus } from "./use-return-focus.ts";

/** Closes the surrounding menu and then runs an action, which may move the focus on. */
export const MenuRunContext = createContext<(action: () => void) => void>((action) => action());

interface ItemsProps {
  label: string;
  /** `id` of the checked item, in a menu of options. */
  checked?: string | number | null | undefined;
  /** True until the options have arrived, which then get the focus. */
  isLoading?: boolean;
  children: ReactNode;
}

interface MenuProps extends ItemsProps {
  /** Content of the button. */
  trigger: ReactNode;
  triggerClassName: string;
  align?: "start" | "end";
  /** `tabIndex` of the button; -1 where the surrounding widget moves the focus to it. */
  tabIndex?: number | undefined;
}

/** A button with a menu. The items are rendered only while it is open, because long lists have a menu in every row. */
export function Menu({ label, trigger, triggerClassName, align, tabIndex, ...items }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [initialFocus, setInitialFocus] = useState<"first" | "last" | null>(null);
  // Keys open the menu here, because the click that follows Enter would look like that of a screen reader, which moves the focus itself.
  const onKeyDown = (event: KeyboardEvent) => {
    if (!["Enter", " ", "ArrowDown", "ArrowUp"].includes(event.key)) return;
    event.preventDefault();
    setInitialFocus(event.key === "ArrowUp" ? "last" : "first");
  };
  const close = () => setInitialFocus(null);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={label}
        data-tooltip={label}
        aria-haspopup="menu"
        aria-expanded={initialFocus !== null}
        tabIndex={tabIndex}
        onClick={() => setInitialFocus("first")}
        onKeyDown={onKeyDown}
        className={triggerClassName}
      >
        {trigger}
      </button>
      {initialFocus && (
        <FloatingPopover label={label} anchor={button} align={align} onClose={close} className="min-w-44 p-1">
          <Items label={label} initialFocus={initialFocus} onClose={close} {...items} />
        </FloatingPopover>
      )}
    </>
  );
}

interface ContextMenuProps extends ItemsProps {
  anchor: AnchorRect;
  onClose(): void;
  className?: string;
}

/** A menu that is open while it is rendered. */
export function ContextMenu({ label, anchor, onClose, className, ...items }: ContextMenuProps) {
  return (
    <Floating label={label} anchor={anchor} onClose={onClose} className={classNames("p-1 max-tablet:p-2", className)}>
      <Items label={label} initialFocus="first" onClose={onClose} {...items} />
    </Floating>
  );
}

function Items({ label, checked, isLoading = false, initialFocus, onClose, children }: ItemsProps & { initialFocus: "first" | "last"; onClose(): void }) {
  const returnFocus = useReturnFocus();
  const list = useRef<HTMLDivElement>(null);
  const wasLoading = useRef(isLoading);
  useEffect(() => {
    if (isLoading || !wasLoading.current) return;
    wasLoading.current = false;
    const focusOption = (selector: string) => list.current?.querySelector<HTMLElement>(selector)?.focus();
    // The library adds the new items after this render.
    requestAnimationFrame(() =>
      focusOption(list.current?.querySelector("[aria-checked=true]") ? "[aria-checked=true]" : "[role^=menuitem]:not([aria-disabled])"),
    );
  }, [isLoading]);
  const run = (action: () => void) => {
    flushSync(onClose);
    returnFocus();
    action();
  };
  /** Left and right move like up and down, as in a row of emoji. */
  const onKeyDownCapture = (event: KeyboardEvent) => {
    const key = { ArrowRight: "ArrowDown", ArrowLeft: "ArrowUp" }[event.key];
    if (key === undefined) return;
    event.stopPropagation();
    event.preventDefault();
    event.target.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  };
  return (
    <MenuRunContext value={run}>
      <div ref={list} role="none" onKeyDownCapture={onKeyDownCapture}>
        <AriaMenu
          aria-label={label}
          autoFocus={initialFocus}
          shouldCloseOnSelect={false}
          {...(checked !== undefined && { selectionMode: "single", selectedKeys: checked === null ? [] : [checked] })}
          className="outline-none"
        >
          {children}
        </AriaMenu>
      </div>
    </MenuRunContext>
  );
}

interface ItemProps {
  /** Identifies the item in a menu or group with `checked`. */
  id?: string | number;
  icon?: ReactNode;
  /** Content; the text if left out. */
  children?: ReactNode;
  /** Text that typing finds; needed where `children` is not plain text. */
  text?: string;
  onSelect(): void;
  danger?: boolean;
  /** What the action does besides, shown under the item. */
  hint?: string | undefined;
  /** Reason why the item is disabled, shown under it. */
  disabledReason?: string | undefined;
  /** The key that does the same outside the menu. */
  shortcut?: string;
}

export function MenuItem({ id, icon, children, text, onSelect, danger = false, hint, disabledReason, shortcut }: ItemProps) {
  const run = useContext(MenuRunContext);
  return (
    <AriaMenuItem
      {...(id !== undefined && { id })}
      {...((text ?? typeof children === "string") && { textValue: text ?? String(children) })}
      isDisabled={disabledReason !== undefined}
      onAction={() => run(onSelect)}
      className={classNames(
        "flex min-h-8 w-full items-center gap-2.5 rounded-sm px-2.5 py-1 text-left focus-visible:outline-offset-[-2px] pointer-coarse:min-h-11",
        disabledReason === undefined ? "cursor-pointer data-focused:bg-hover" : "cursor-not-allowed text-text-3",
        danger && disabledReason === undefined && "text-danger",
      )}
    >
      {({ isSelected }) => (
        <>
          {icon && <span className={danger ? undefined : "text-text-2"}>{icon}</span>}
          <span className="min-w-0 flex-1">
            <span className="block">{children ?? text}</span>
            {hint !== undefined && disabledReason === undefined && <span className="block text-xs text-text-2">{hint}</span>}
            {disabledReason !== undefined && <span className="block text-xs">{disabledReason}</span>}
          </span>
          {shortcut && (
            <kbd aria-hidden className="font-sans text-xs text-text-2 pointer-coarse:hidden">
              {shortcut}
            </kbd>
          )}
          {isSelected && <Check size={16} aria-hidden className="shrink-0" />}
        </>
      )}
    </AriaMenuItem>
  );
}

/** A group of options of which one is `checked`, or of actions in a menu of options. */
export function MenuGroup({ label, showsLabel = false, checked, children }: ItemsProps & { showsLabel?: boolean }) {
  return (
    <MenuSection
      aria-label={label}
      selectionMode={checked === undefined ? "none" : "single"}
      {...(checked !== undefined && { selectedKeys: checked === null ? [] : [checked] })}
    >
      {showsLabel && <Header className="px-2.5 py-1 text-xs text-text-2">{label}</Header>}
      {children}
    </MenuSection>
  );
}

export const MenuSeparator = () => <Separator className="my-1 border-t border-line" />;
