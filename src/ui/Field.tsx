/** Form controls with their label; a hint or error is connected to the control, so that a screen reader reads it with the control. */
import { ChevronDown, Eye, EyeOff } from "lucide-react";
import {
  type ComponentProps,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
  useState,
} from "react";
import { classNames } from "../lib/class-names.ts";
import { IconButton } from "./IconButton.tsx";

const CONTROL_CLASSES =
  "w-full rounded-md border bg-bg text-text outline-offset-0 transition-colors hover:border-text-3 focus-visible:outline-2 focus-visible:outline-accent-text disabled:cursor-not-allowed disabled:opacity-60 read-only:bg-surface";
/** 16 px on small screens, because iOS zooms the page when a smaller field gets the focus. */
const TEXT_CLASSES = "text-lg tablet:text-md";

interface CommonProps {
  label: string;
  hint?: ReactNode;
  error?: string | undefined;
  /** Hides the label visually where the surroundings make it clear. */
  labelHidden?: boolean;
}

type InputProps = CommonProps & Omit<InputHTMLAttributes<HTMLInputElement>, "id"> & { ref?: Ref<HTMLInputElement>; aside?: ReactNode; end?: ReactNode };

export function TextField({ label, hint, error, labelHidden, className, aside, end, ...rest }: InputProps) {
  const id = useId();
  return (
    <Frame {...{ id, label, hint, error, labelHidden, className, aside }}>
      <div className="relative">
        <input
          {...rest}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={describedBy(id, { label, hint, error })}
          className={classNames(CONTROL_CLASSES, TEXT_CLASSES, borderClass(error), "h-9 px-3", !!end && "pr-10")}
        />
        {end && <div className="absolute inset-y-0 right-1 flex items-center">{end}</div>}
      </div>
    </Frame>
  );
}

type AreaProps = CommonProps & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "id">;

export function TextArea({ label, hint, error, labelHidden, className, ...rest }: AreaProps) {
  const id = useId();
  return (
    <Frame {...{ id, label, hint, error, labelHidden, className }}>
      <textarea
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={describedBy(id, { label, hint, error })}
        className={classNames(CONTROL_CLASSES, TEXT_CLASSES, borderClass(error), "min-h-20 resize-y px-3 py-2")}
      />
    </Frame>
  );
}

type SelectFieldProps = CommonProps & Omit<SelectHTMLAttributes<HTMLSelectElement>, "id" | "size">;

export function SelectField({ label, hint, error, labelHidden, className, children, ...rest }: SelectFieldProps) {
  const id = useId();
  return (
    <Frame {...{ id, label, hint, error, labelHidden, className }}>
      <Select {...rest} id={id} invalid={!!error} aria-invalid={error ? true : undefined} aria-describedby={describedBy(id, { label, hint, error })}>
        {children}
      </Select>
    </Frame>
  );
}

type CheckProps = Omit<InputHTMLAttributes<HTMLInputElement>, "id" | "type"> & { label: ReactNode; hint?: ReactNode };

export function CheckField({ label, hint, className, ...rest }: CheckProps) {
  const id = useId();
  return (
    <div className={classNames("flex min-h-6 items-start gap-2.5", className)}>
      <input {...rest} id={id} type="checkbox" aria-describedby={hint ? `${id}-hint` : undefined} className="mt-px" />
      <label htmlFor={id} className="min-w-0 leading-5">
        <span className="block text-text">{label}</span>
        {hint && (
          <span id={`${id}-hint`} className="block text-sm text-text-3">
            {hint}
          </span>
        )}
      </label>
    </div>
  );
}

interface SelectProps extends SelectHTMLAttributes<HTMLSelectElement> {
  /** Shows the error border. */
  invalid?: boolean;
  /** Does not fill the width of its container. */
  compact?: boolean;
}

/** The native select with a custom arrow. */
export function Select({ invalid = false, compact = false, className, disabled, ...rest }: SelectProps) {
  return (
    <span className={classNames("relative inline-flex min-w-0", !compact && "w-full", className)}>
      <select
        {...rest}
        disabled={disabled}
        className={classNames(
          "w-full min-w-0 appearance-none truncate rounded-md border bg-bg text-text transition-colors hover:border-text-3 disabled:cursor-not-allowed disabled:border-transparent disabled:bg-transparent disabled:text-text-2",
          invalid ? "border-danger" : "border-field-line",
          compact ? "h-8 pr-7 pl-2.5" : "h-9 pr-9 pl-3",
        )}
      />
      {!disabled && (
        <ChevronDown
          size={compact ? 14 : 16}
          aria-hidden
          className={classNames("pointer-events-none absolute my-auto h-full text-text-2", compact ? "right-2" : "right-2.5")}
        />
      )}
    </span>
  );
}

type PasswordFieldProps = Omit<ComponentProps<typeof TextField>, "type" | "end"> & { showLabel: string; hideLabel: string };

/** A password field with a button that reveals the text. */
export function PasswordField({ showLabel, hideLabel, ...rest }: PasswordFieldProps) {
  const [isVisible, setIsVisible] = useState(false);
  return (
    <TextField
      autoCapitalize="none"
      spellCheck={false}
      {...rest}
      type={isVisible ? "text" : "password"}
      end={
        <IconButton label={isVisible ? hideLabel : showLabel} className="size-7" onClick={() => setIsVisible(!isVisible)}>
          {isVisible ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
        </IconButton>
      }
    />
  );
}

interface FrameProps extends CommonProps {
  id: string;
  children: ReactNode;
  className?: string | undefined;
  aside?: ReactNode;
}

function Frame({ id, label, hint, error, labelHidden, children, className, aside }: FrameProps) {
  return (
    <div className={classNames("flex flex-col gap-1.5", className)}>
      <div className={classNames("flex items-baseline justify-between gap-3", labelHidden && "sr-only")}>
        <label htmlFor={id} className="text-sm font-medium text-text">
          {label}
        </label>
        {aside}
      </div>
      {children}
      {error ? (
        <p id={`${id}-error`} className="text-sm text-danger">
          {error}
        </p>
      ) : (
        hint && (
          <p id={`${id}-hint`} className="text-sm text-text-3">
            {hint}
          </p>
        )
      )}
    </div>
  );
}

const describedBy = (id: string, { hint, error }: CommonProps) => (error ? `${id}-error` : hint ? `${id}-hint` : undefined);
const borderClass = (error: string | undefined) => (error ? "border-danger" : "border-field-line");
