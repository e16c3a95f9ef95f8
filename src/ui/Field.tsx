/** Form controls with their label; a hint or error is connected to the control, so that a screen reader reads it with the control. */
import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { classNames } from "../lib/class-names.ts";
import { t } from "../lib/texts/common.ts";
import { IconButton } from "./IconButton.tsx";

/** The look of fields; their text has 16 px on small screens, because iOS zooms the page when a smaller field gets the focus. */
export const fieldClasses = (error?: string) =>
  classNames(
    "w-full rounded-md border bg-bg text-lg text-text outline-offset-0 transition-colors hover:border-text-3 focus-visible:outline-2 focus-visible:outline-accent-text disabled:cursor-not-allowed disabled:opacity-60 tablet:text-md",
    error ? "border-danger" : "border-field-line",
  );

/** What all fields share; `form.field` returns the first four. */
export interface FieldProps<V> {
  label: string;
  value: V;
  onChange(value: V): void;
  error?: string | undefined;
  hint?: ReactNode;
  /** Hides the label visually where the surroundings make it clear. */
  labelHidden?: boolean;
  className?: string;
  /** Stands at the end of the label's line. */
  aside?: ReactNode;
}

type InputProps = FieldProps<string> & Omit<ComponentProps<"input">, "id" | keyof FieldProps<string>> & { end?: ReactNode };

export function TextField({ label, hint, error, labelHidden, className, aside, end, onChange, ...rest }: InputProps) {
  return (
    <Frame {...{ label, hint, error, labelHidden, className, aside }}>
      {(control) => (
        <div className="relative">
          <input
            {...rest}
            {...control}
            onChange={(event) => onChange(event.target.value)}
            className={classNames(fieldClasses(error), "h-9 px-3 read-only:bg-surface", !!end && "pr-10")}
          />
          {end && <div className="absolute inset-y-0 right-1 flex items-center">{end}</div>}
        </div>
      )}
    </Frame>
  );
}

type AreaProps = FieldProps<string> & Omit<ComponentProps<"textarea">, "id" | keyof FieldProps<string>>;

export function TextArea({ label, hint, error, labelHidden, className, aside, onChange, ...rest }: AreaProps) {
  return (
    <Frame {...{ label, hint, error, labelHidden, className, aside }}>
      {(control) => (
        <textarea
          {...rest}
          {...control}
          onChange={(event) => onChange(event.target.value)}
          className={classNames(fieldClasses(error), "min-h-20 resize-y px-3 py-2")}
        />
      )}
    </Frame>
  );
}

/** A password field with a button that reveals the text. */
export function PasswordField(props: Omit<InputProps, "type" | "end">) {
  const [isVisible, setIsVisible] = useState(false);
  return (
    <TextField
      autoCapitalize="none"
      spellCheck={false}
      {...props}
      type={isVisible ? "text" : "password"}
      end={
        <IconButton label={t(isVisible ? "hidePassword" : "showPassword")} className="size-7" onClick={() => setIsVisible(!isVisible)}>
          {isVisible ? <EyeOff size={16} aria-hidden /> : <Eye size={16} aria-hidden />}
        </IconButton>
      }
    />
  );
}

type CheckProps = Omit<ComponentProps<"input">, "id" | "type" | "onChange"> & { label: ReactNode; hint?: ReactNode; onChange(isChecked: boolean): void };

export function CheckField({ label, hint, className, onChange, ...rest }: CheckProps) {
  const id = useId();
  return (
    <div className={classNames("flex min-h-6 items-start gap-2.5", className)}>
      <input
        {...rest}
        id={id}
        type="checkbox"
        aria-describedby={hint ? `${id}-hint` : undefined}
        onChange={(event) => onChange(event.target.checked)}
        className="mt-px"
      />
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

/** Several controls under one label. */
export function FieldGroup({ label, error, children }: { label: string; error?: string | undefined; children: ReactNode }) {
  const id = useId();
  return (
    <fieldset className="min-w-0" aria-describedby={error ? id : undefined} data-invalid={error ? true : undefined}>
      <legend className="mb-1.5 text-sm font-medium">{label}</legend>
      {error && (
        <p id={id} role="alert" className="-mt-1 mb-2 text-sm text-danger">
          {error}
        </p>
      )}
      {children}
    </fieldset>
  );
}

interface FrameProps extends Partial<Omit<FieldProps<string>, "value" | "onChange">> {
  children(control: { id: string; "aria-invalid": true | undefined; "aria-describedby": string | undefined }): ReactNode;
}

function Frame({ label, hint, error, labelHidden, children, className, aside }: FrameProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className={classNames("flex flex-col gap-1.5", className)}>
      <div className={classNames("flex items-baseline justify-between gap-3", labelHidden && "sr-only")}>
        <label htmlFor={id} className="min-w-0 text-sm font-medium wrap-anywhere text-text">
          {label}
        </label>
        {aside}
      </div>
      {children({ id, "aria-invalid": error ? true : undefined, "aria-describedby": note ? `${id}-note` : undefined })}
      {note && (
        <p id={`${id}-note`} className={error ? "text-sm text-danger" : "text-sm text-text-3"}>
          {note}
        </p>
      )}
    </div>
  );
}
