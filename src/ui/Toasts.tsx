import { type ReactNode, useState } from "react";
import { useLandmark } from "react-aria/useLandmark";
import { UNSAFE_PortalProvider as PortalProvider } from "react-aria/PortalProvider";
import { Text, UNSTABLE_Toast as AriaToast, UNSTABLE_ToastContent as ToastContent, UNSTABLE_ToastRegion as ToastRegion } from "react-aria-components/Toast";
import { useToastQueue } from "react-stately/useToastState";
import { classNames } from "../lib/class-names.ts";
import { t } from "../lib/texts/common.ts";
import { Button } from "./Button.tsx";
import { CloseButton } from "./IconButton.tsx";
import { useToasts } from "./toast.ts";

interface ToastsProps {
  label: string;
  /** Label of the section that holds `children`. */
  childrenLabel: string;
  children?: ReactNode;
}

/** Shows the page's toasts at its lower edge, above dialogs and below `children`. */
export function Toasts({ label, childrenLabel, children }: ToastsProps) {
  const { queue } = useToasts();
  const { visibleToasts } = useToastQueue(queue);
  const [container, setContainer] = useState<HTMLDivElement | null>(null);
  return (
    <div ref={setContainer} className="pointer-events-none absolute inset-x-0 bottom-3 z-60 flex flex-col items-center gap-2 px-3">
      {children && (
        <section aria-label={childrenLabel} className="flex w-full flex-col items-center gap-2">
          {children}
        </section>
      )}
      {/* The library registers the region for F6 when it mounts, so it mounts with the first toast. */}
      {container && visibleToasts.length > 0 && (
        <PortalProvider getContainer={() => container}>
          <MainLandmark />
          <ToastRegion queue={queue} aria-label={label} className="flex max-w-full flex-col-reverse items-center gap-2 rounded-lg">
            {({ toast }) => {
              const { text, action, tone } = toast.content;
              const close = () => queue.close(toast.key);
              return (
                <AriaToast
                  toast={toast}
                  className={classNames(
                    "pointer-events-auto flex min-h-11 max-w-120 items-center gap-2 rounded-lg border bg-raised py-1.5 pr-1.5 pl-4 shadow-float",
                    tone === "danger" ? "border-danger" : "border-line",
                  )}
                >
                  <ToastContent className="min-w-0 flex-1 wrap-anywhere">
                    <Text slot="title">{text}</Text>
                  </ToastContent>
                  {action && (
                    <Button
                      size="sm"
                      variant="text"
                      onClick={() => {
                        close();
                        action.run();
                      }}
                    >
                      {action.label}
                    </Button>
                  )}
                  <CloseButton label={t("close")} onClick={close} />
                </AriaToast>
              );
            }}
          </ToastRegion>
        </PortalProvider>
      )}
    </div>
  );
}

/** Lets F6 lead from the toasts back to the view, to the element that had the focus there. */
function MainLandmark() {
  const [main] = useState(() => ({ current: document.getElementById("content") }));
  useLandmark({ role: "main" }, main);
  return null;
}
