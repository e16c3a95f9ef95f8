/** A form that validates and submits, and its button. */
import type { ComponentProps, ReactNode } from "react";
import type { Form as FormState } from "./use-form.ts";
import { Button } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";

export interface FormProps<V extends object, B, A> {
  form: Pick<FormState<V, B, A>, "ref" | "problem" | "submit" | "isPending">;
  body: B;
  /** Errors that the contract's schema cannot find. */
  extraErrors?: readonly { path: string; message: string }[];
  /** `info` if the response asks for one more choice and is no failure. */
  problemTone?: "danger" | "info";
  /** Receives the response, unless the form was closed meanwhile. */
  onDone(response: A): void;
  className?: string;
  children: ReactNode;
}

export function Form<V extends object, B, A>({
  form,
  body,
  extraErrors,
  problemTone = "danger",
  onDone,
  className = "flex flex-col gap-4",
  children,
}: FormProps<V, B, A>) {
  return (
    <form ref={form.ref} noValidate className={className} onSubmit={(event) => void form.submit(event, body, onDone, extraErrors)}>
      {form.problem && (
        <Notice tone={problemTone} title={form.problem.title}>
          {form.problem.help}
        </Notice>
      )}
      {children}
    </form>
  );
}

/** Submits a form; it can be pressed once at a time. */
export const SubmitButton = ({ form, ...rest }: Omit<ComponentProps<typeof Button>, "form"> & { form: { isPending: boolean } }) => (
  <Button type="submit" variant="primary" pending={form.isPending} {...rest} />
);
