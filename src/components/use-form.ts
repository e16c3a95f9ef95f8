/** Provides what every form shares: values, validation against the contract before sending, errors beside their fields, and focus on the first invalid field. */
import { useLayoutEffect, useRef, useState, type FormEvent } from "react";
import type * as z from "zod/mini";
import { t } from "../lib/texts/problems.ts";
import { describeError, getFieldErrors, formatFieldError, type ErrorDescription } from "../queries/describe-error.ts";

type FieldError = ReturnType<typeof getFieldErrors>[number];

export interface FormMutation<B, A> {
  mutateAsync(body: B): Promise<A>;
  isPending: boolean;
  error: unknown;
  reset(): void;
}

export type Form<V extends object, B, A> = ReturnType<typeof useForm<V, B, A>>;

/** `schema` validates the operation's body; each of the values has a field of its own, which shows its errors. */
export function useForm<V extends object, B, A>(mutation: FormMutation<B, A>, schema: z.ZodMiniType | undefined, initialValues: V) {
  const ref = useRef<HTMLFormElement>(null);
  const [values, setValues] = useState(initialValues);
  const [clientErrors, setClientErrors] = useState<FieldError[]>([]);
  const fieldErrors = clientErrors.length > 0 ? clientErrors : getFieldErrors(mutation.error);

  useLayoutEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] :is(button, input)')?.focus();
  }, [clientErrors, mutation.error]);

  const errorOf = (path: string, label: string) => {
    const fieldError = fieldErrors.find((candidate) => candidate.path === path || candidate.path.startsWith(`${path}.`));
    return fieldError && (fieldError.message === "" ? t("fieldRequired", { label }) : formatFieldError(label, fieldError.message));
  };
  return {
    ref,
    isPending: mutation.isPending,
    values,
    setValues: (change: Partial<V>) => setValues((previous) => ({ ...previous, ...change })),
    updateValues: (update: (latest: V) => V) => setValues(update),
    /** Returns the error text of a field, or undefined. */
    errorOf,
    /** Returns the props of the field that edits a value. */
    field: <K extends keyof V & string>(name: K, label: string) => ({
      label,
      value: values[name],
      onChange: (value: V[K]) => setValues((previous) => ({ ...previous, [name]: value })),
      error: errorOf(name, label),
    }),
    /** The error that belongs to no single field. */
    problem: formProblem(clientErrors, mutation.error, Object.keys(values)),
    /** Removes the errors of the last attempt. */
    clearErrors() {
      setClientErrors([]);
      mutation.reset();
    },
    /**
     * Validates and submits the body, and then calls `onDone` unless the form was closed meanwhile. `extraErrors` are errors that the contract's schema
     * cannot find.
     */
    async submit(event: FormEvent, body: B, onDone: (response: A) => void, extraErrors: readonly FieldError[] = []) {
      event.preventDefault();
      if (mutation.isPending) return;
      const errors = [...(schema ? validate(schema, body) : []), ...extraErrors];
      setClientErrors(errors);
      if (errors.length > 0) return mutation.reset();
      let response: A;
      try {
        response = await mutation.mutateAsync(body);
      } catch {
        // The mutation holds the error, which `problem` and `errorOf` show.
        return;
      }
      if (ref.current) onDone(response);
    },
  };
}

/** Returns the error that no form field shows: from `clientErrors`, found before sending, or from `error`, thrown by the request. */
export function formProblem(clientErrors: readonly FieldError[], error: unknown, fieldNames: readonly string[]): ErrorDescription | null {
  const hasField = ({ path }: FieldError) => fieldNames.some((name) => path === name || path.startsWith(`${name}.`));
  if (clientErrors.length > 0) {
    const hiddenErrors = clientErrors.filter((fieldError) => !hasField(fieldError));
    return hiddenErrors.length > 0 ? { title: t("cannotSubmit"), help: hiddenErrors.map(describeHiddenError).join(" ") } : null;
  }
  if (!error) return null;
  const fieldErrors = getFieldErrors(error);
  return fieldErrors.length > 0 && fieldErrors.every(hasField) ? null : describeError(error);
}

function describeHiddenError({ path, message }: FieldError): string {
  const name = path.replace(/[._]/g, " ").trim();
  const label = name === "" ? t("thisForm") : name[0]!.toUpperCase() + name.slice(1);
  return message === "" ? t("fieldRequired", { label }) : formatFieldError(label, message);
}

/** Matches the prefixes that the validator puts before some of its messages. */
const PREAMBLE = /^(Invalid input|Invalid option|Too small|Too big|Invalid string): /;

/** Returns the first error per path; an empty message marks a blank text as missing, whatever else is wrong with it. */
export function validate(schema: z.ZodMiniType, body: unknown): FieldError[] {
  const result = schema.safeParse(body);
  if (result.success) return [];
  const messages = new Map<string, string>();
  for (const issue of result.error.issues) {
    const path = issue.path.join(".");
    const value = issue.path.reduce<unknown>((node, key) => (node as Record<PropertyKey, unknown> | undefined)?.[key], body);
    if (!messages.has(path)) messages.set(path, typeof value === "string" && value.trim() === "" ? "" : issue.message.replace(PREAMBLE, ""));
  }
  return [...messages].map(([path, message]) => ({ path, message }));
}
