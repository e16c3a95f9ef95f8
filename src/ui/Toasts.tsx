import { X } from "lucide-react";
import { useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { classNames } from "../lib/class-names.ts";
import { Button } from "./Button.tsx";
import { IconButton } from "./IconButton.tsx";
import { hideToast, toastStore, type Toast } from "./toast.ts";

/** Long enough to read, understand and reach by keyboard; the timer pauses while the toast is hovered or focused. */
const TOAST_DURATION_MS = 15_000;

/** Shows the page's toasts at its lower edge, below `children`. */
export function Toasts({ label, closeLabel, children }: { label: string; closeLabel: string; children?: ReactNode }) {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.all);
  if (toasts.length === 0 && !children) return null;
  return (
    <section aria-label={label} className="pointer-events-none absolute inset-x-0 bottom-3 z-10 flex flex-col items-center gap-2 px-3">
      {children}
      {toasts.map((toast) => (
        <ToastItem key={toast.id} toast={toast} closeLabel={closeLabel} />
      ))}
    </section>
  );
}

function ToastItem({ toast: { id, text, action, tone }, closeLabel }: { toast: Toast; closeLabel: string }) {
  const [isPaused, setIsPaused] = useState(false);
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(() => hideToast(id), TOAST_DURATION_MS);
    return () => clearTimeout(timer);
  }, [id, isPaused]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it only detects hover and focus
    <div
      onPointerEnter={() => setIsPaused(true)}
      onPointerLeave={() => setIsPaused(false)}
      onFocus={() => setIsPaused(true)}
      onBlur={() => setIsPaused(false)}
      className={classNames(
        "pointer-events-auto flex min-h-11 max-w-120 items-center gap-2 rounded-lg border bg-raised py-1.5 pr-1.5 pl-4 shadow-float",
        tone === "danger" ? "border-danger" : "border-line",
      )}
    >
      <span className="min-w-0 flex-1 wrap-anywhere">{text}</span>
      {action && (
        <Button
          size="sm"
          variant="ghost"
          className="font-semibold text-accent-text!"
          onClick={() => {
            hideToast(id);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton label={closeLabel} onClick={() => hideToast(id)}>
        <X size={16} aria-hidden />
      </IconButton>
    </div>
  );
}
