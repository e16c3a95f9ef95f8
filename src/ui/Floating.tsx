/** Shows a popover beside an anchor, or a bottom sheet on phones and touch screens, while it is rendered. */
import { type ReactNode, type RefObject, useState } from "react";
import { Dialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { Popover } from "react-aria-components/Popover";
import { classNames } from "../lib/class-names.ts";
import { PHONE } from "./responsive.ts";
import { useReturnFocus } from "./use-return-focus.ts";

/** Viewport coordinates of the box that the popover must not cover. */
export interface AnchorRect {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

interface FloatingProps {
  label: string;
  anchor: AnchorRect | RefObject<Element | null>;
  /** Edge of the anchor to which the popover aligns. */
  align?: "start" | "end";
  onClose(): void;
  className?: string;
  children: ReactNode;
}

/** Pixels between the anchor and the popover, and between the popover and the edge of the window. */
const GAP = 4;
const EDGE = 8;
const SURFACE_CLASS = "bg-raised text-text shadow-float outline-none overflow-y-auto";

/** Returns the box of an element or of a pointer position. */
export const anchorRectOf = (target: Element | { clientX: number; clientY: number }): AnchorRect =>
  "clientX" in target ? { left: target.clientX, right: target.clientX, top: target.clientY, bottom: target.clientY } : target.getBoundingClientRect();

export function Floating(props: FloatingProps) {
  useReturnFocus();
  const { label, onClose, className, children } = props;
  // Decided once on opening, so that it does not change when a phone is rotated.
  const [isSheet] = useState(() => matchMedia(`${PHONE}, (pointer: coarse)`).matches);
  if (!isSheet) return <FloatingPopover {...props} />;
  return (
    <BottomSheet label={label} onClose={onClose} className={classNames(className, "w-full!")}>
      {children}
    </BottomSheet>
  );
}

/** A popover that closes on Escape and on a press outside. */
export function FloatingPopover({ label, anchor, align = "start", onClose, className, children }: FloatingProps) {
  const isRect = !("current" in anchor);
  const [body] = useState(() => ({ current: document.body }));
  // At a pointer position, the popover opens to the right.
  const isPoint = isRect && anchor.left === anchor.right;
  return (
    <Popover
      isOpen
      data-overlay="popover"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      aria-label={label}
      triggerRef={isRect ? body : anchor}
      {...(isRect && { getTargetRect: () => new DOMRect(anchor.left, anchor.top, anchor.right - anchor.left, anchor.bottom - anchor.top) })}
      placement={align === "end" && !isPoint ? "bottom end" : "bottom start"}
      offset={GAP}
      containerPadding={EDGE}
      className={classNames("rounded-lg", SURFACE_CLASS, className)}
    >
      {children}
    </Popover>
  );
}

/** A modal sheet at the bottom of the window; a press outside closes it. */
export function BottomSheet({ label, onClose, className, children }: Pick<FloatingProps, "label" | "onClose" | "className" | "children">) {
  return (
    <ModalOverlay
      isOpen
      isDismissable
      data-overlay="modal"
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className="modal-backdrop flex items-end justify-center"
    >
      <Modal className={classNames("max-h-[80dvh] w-screen max-w-160 rounded-t-lg pb-[max(8px,env(safe-area-inset-bottom))]", SURFACE_CLASS)}>
        <Dialog aria-label={label} className={classNames("outline-none", className)}>
          {children}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
