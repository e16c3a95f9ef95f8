import { useEffect, useRef, type RefObject } from "react";

/** Shows a `<dialog>` as a modal as long as it is rendered, and gives the focus back to where it was. */
export function useModal(): RefObject<HTMLDialogElement | null> {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current!;
    const previousFocus = document.activeElement;
    if (!element.open) element.showModal();
    return () => {
      element.close();
      // React removes the element at once, before the browser could give the focus back by itself.
      if (previousFocus instanceof HTMLElement && previousFocus.isConnected) previousFocus.focus();
    };
  }, []);
  return dialog;
}
