import { useEffect, useRef, useState } from "react";
import { useFocusVisible } from "react-aria/useFocusVisible";
import { UNSAFE_PortalProvider as PortalProvider } from "react-aria/PortalProvider";
import { Tooltip, TooltipTriggerStateContext } from "react-aria-components/Tooltip";
import { useTooltipTriggerState } from "react-stately/useTooltipTriggerState";

const DELAY_MS = 600;

/**
 * Shows the `data-tooltip` of the element that the mouse rests on or that has the keyboard focus. One for all buttons, since those of the shell are
 * painted before this is loaded.
 */
export function Tooltips() {
  const state = useTooltipTriggerState({ delay: DELAY_MS, closeDelay: 0 });
  const container = useRef<HTMLDivElement>(null);
  const [trigger, setTrigger] = useState<Element | null>(null);
  const { isFocusVisible } = useFocusVisible();
  const latest = useRef({ state, trigger, isFocusVisible });
  latest.current = { state, trigger, isFocusVisible };
  useEffect(() => {
    const controller = new AbortController();
    const listen = (types: string[], listener: (event: Event) => void) => {
      for (const type of types) document.addEventListener(type, listener, { capture: true, signal: controller.signal });
    };
    const close = () => {
      latest.current.state.close(true);
      setTrigger(null);
    };
    const open = (event: Event, isImmediate: boolean) => {
      const next = event.target instanceof Element ? event.target.closest("[data-tooltip]") : null;
      if (next === latest.current.trigger) return;
      close();
      setTrigger(next);
      if (next) latest.current.state.open(isImmediate);
    };
    listen(["pointerover"], (event) => (event as PointerEvent).pointerType === "mouse" && open(event, false));
    listen(["focusin"], (event) => latest.current.isFocusVisible && open(event, true));
    listen(["focusout", "pointerdown", "keydown"], close);
    return () => controller.abort();
  }, []);
  const tooltip = trigger?.isConnected && trigger.getAttribute("data-tooltip");
  // A tooltip would repeat a label that is visible, for example at a width at which a button shows its text.
  const text = tooltip !== trigger?.textContent?.trim() && tooltip;
  return (
    // Hidden from screen readers, which read the same text as the button's name.
    <div ref={container} aria-hidden>
      {text && (
        <PortalProvider getContainer={() => container.current}>
          <TooltipTriggerStateContext value={state}>
            <Tooltip
              key={text}
              triggerRef={{ current: trigger }}
              offset={6}
              className="pointer-events-none max-w-72 rounded-sm bg-text px-2 py-1 text-xs font-medium text-bg shadow-float"
            >
              {text}
            </Tooltip>
          </TooltipTriggerStateContext>
        </PortalProvider>
      )}
    </div>
  );
}
