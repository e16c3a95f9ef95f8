/** Shows a popover beside an anchor, or a bottom sheet on phones and touch screens, while it is rendered. */
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";
import { PHONE } from "./responsive.ts";
import { useModal } from "./use-modal.ts";

/** Viewport coordinates of the box that the popover must not cover. */
export interface AnchorRect {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface Props {
  label: string;
  anchor: AnchorRect;
  /** Edge of the anchor to which the popover aligns. */
  align?: "start" | "end";
  role: "menu" | "dialog";
  onClose(): void;
  onKeyDown?(event: KeyboardEvent): void;
  className?: string;
  children: ReactNode;
}

/** Pixels between the anchor and the popover, and between the popover and the edge of the window. */
const GAP = 4;
const EDGE = 8;
/** Candidates for the initial focus. */
const FIRST_FOCUSABLE = "[autofocus], [role^=menuitem]:not([aria-disabled=true]), input, select, button";

/** Returns the box of an element or of a pointer position. */
export const anchorRectOf = (target: Element | { clientX: number; clientY: number }): AnchorRect =>
  "clientX" in target ? { left: target.clientX, right: target.clientX, top: target.clientY, bottom: target.clientY } : target.getBoundingClientRect();

/** Places an open popover below its anchor, or above it where there is more room, and within the window. */
export function positionPopover(popover: HTMLElement, anchor: AnchorRect, align: "start" | "end"): void {
  const { offsetWidth: width, offsetHeight: height } = popover;
  // At a pointer position, the popover opens to the right.
  const left = align === "start" || anchor.left === anchor.right ? anchor.left : anchor.right - width;
  const below = anchor.bottom + GAP;
  const top = below + height + EDGE > innerHeight && anchor.top - GAP - height > EDGE ? anchor.top - GAP - height : below;
  popover.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  popover.style.top = `${Math.max(EDGE, Math.min(top, innerHeight - height - EDGE))}px`;
}

export function Floating(props: Props) {
  // Decided once on opening, so that it does not change when a phone is rotated.
  const [isSheet] = useState(() => matchMedia(`${PHONE}, (pointer: coarse)`).matches);
  return isSheet ? <Sheet {...props} /> : <Popover {...props} />;
}

function Popover({ label, anchor, align = "start", role, onClose, onKeyDown, className, children }: Props) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = box.current!;
    const previousFocus = document.activeElement;
    element.showPopover();
    positionPopover(element, anchor, align);
    element.querySelector<HTMLElement>(FIRST_FOCUSABLE)?.focus();
    return () => {
      const hadFocus = element.contains(document.activeElement) || document.activeElement === document.body;
      if (hadFocus && previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus({ preventScroll: true });
    };
    // The position is computed only once, on opening.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);
  // Closes on outside presses here: in browsers that fire `contextmenu` on press, a light-dismiss popover would close when that press ends.
  const onPointerDownAnywhere = useEffectEvent(({ target }: PointerEvent) => {
    if (!box.current?.contains(target as Node)) onClose();
  });
  useEffect(() => {
    const listener = (event: PointerEvent) => onPointerDownAnywhere(event);
    document.addEventListener("pointerdown", listener, true);
    return () => document.removeEventListener("pointerdown", listener, true);
  }, []);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- `role` is a required prop
    <div
      ref={box}
      popover="manual"
      role={role}
      aria-label={label}
      tabIndex={-1}
      onKeyDown={(event) => {
        onKeyDown?.(event);
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
      className={classNames("fixed m-0 rounded-lg bg-raised text-text shadow-float outline-none", className)}
    >
      {children}
    </div>
  );
}

function Sheet({ label, role, onClose, onKeyDown, className, children }: Props) {
  return (
    <BottomSheet label={label} onClose={onClose} className="overflow-y-auto">
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it only handles the keys of its children */}
      <div
        role={role === "menu" ? "menu" : undefined}
        aria-label={role === "menu" ? label : undefined}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className={classNames("w-full! pb-[max(8px,env(safe-area-inset-bottom))] outline-none", className)}
      >
        {children}
      </div>
    </BottomSheet>
  );
}

/** A modal sheet at the bottom of the window; a press outside closes it. */
export function BottomSheet({ label, onClose, className, children }: { label: string; onClose(): void; className: string; children: ReactNode }) {
  const dialog = useModal();
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      className={classNames("mx-auto mt-auto mb-0 max-h-[80dvh] w-screen max-w-160 rounded-t-lg bg-raised text-text shadow-float", className)}
    >
      {children}
    </dialog>
  );
}
