import { useEffect, useRef, type RefObject } from "react";

/** Shows a `<dialog>` as a modal while it is rendered, and restores the previous focus afterwards. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    const previousFocus = document.activeElement;
    if (!element.open) element.showModal();
    return () => {
      element.close();
      // React removes the element immediately, before the browser can restore the focus itself.
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
    };
  }, []);
  return dialog;
}
