/** What every form shares: checks against the contract before sending, faults beside their fields, the focus on the first of them. */
import { useLayoutEffect, useRef, useState, type FormEvent, type RefObject } from "react";
import type * as z from "zod/mini";
import type { FieldError } from "../api/api-error.ts";
import { t } from "../lib/messages/problems.ts";
import { explain, faultsIn, sentence, type Explained } from "./problems.ts";

interface Sending<B, A> {
  mutateAsync(body: B): Promise<A>;
  isPending: boolean;
  error: unknown;
  reset(): void;
}

export interface Form<B, A> {
  ref: RefObject<HTMLFormElement | null>;
  pending: boolean;
  /** The sentence for a field, or undefined. */
  errorOf(path: string, label: string): string | undefined;
  /** What went wrong beyond single fields. */
  problem: Explained | null;
  /** Checks and sends; answers what came back, or undefined where it did not work. `more`: faults that the contract does not know. */
  submit(event: FormEvent, body: B, more?: readonly FieldError[]): Promise<A | undefined>;
}

/** `schema` is the operation's body; members named in `shown` have a field of their own. */
export function useForm<B, A>(sending: Sending<B, A>, schema: z.ZodMiniType | undefined, shown: readonly string[]): Form<B, A> {
  const ref = useRef<HTMLFormElement>(null);
  const [own, setOwn] = useState<FieldError[]>([]);
  const faults = own.length > 0 ? own : faultsIn(sending.error);

  useLayoutEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [own, sending.error]);

  const faultOf = (path: string) => faults.find((fault) => fault.path === path || fault.path.startsWith(`${path}.`));
  return {
    ref,
    pending: sending.isPending,
    errorOf(path, label) {
      const fault = faultOf(path);
      return fault && (fault.message === "" ? t("fieldRequired", { label }) : sentence(label, fault.message));
    },
    problem: problemOf(own, sending.error, shown),
    async submit(event, body, more = []) {
      event.preventDefault();
      if (sending.isPending) return undefined;
      const found = [...(schema ? check(schema, body) : []), ...more];
      setOwn(found);
      if (found.length > 0) {
        sending.reset();
        return undefined;
      }
      try {
        return await sending.mutateAsync(body);
      } catch {
        // The mutation keeps it; `problem` and `errorOf` show it.
        return undefined;
      }
    },
  };
}

/** What no field of the form shows: `own` faults were found before sending, `error` is what sending threw. */
export function problemOf(own: readonly FieldError[], error: unknown, shown: readonly string[]): Explained | null {
  const hasField = ({ path }: FieldError) => shown.some((name) => path === name || path.startsWith(`${name}.`));
  if (own.length > 0) {
    const hidden = own.filter((fault) => !hasField(fault));
    return hidden.length > 0 ? { title: t("cannotSend"), help: hidden.map(hiddenFault).join(" ") } : null;
  }
  if (!error) return null;
  const faults = faultsIn(error);
  return faults.length > 0 && faults.every(hasField) ? null : explain(error);
}

function hiddenFault({ path, message }: FieldError): string {
  const name = path.replace(/[._]/g, " ").trim();
  const label = name === "" ? t("thisForm") : name[0]!.toUpperCase() + name.slice(1);
  return message === "" ? t("fieldRequired", { label }) : sentence(label, message);
}

/** How the validator starts some of its messages. */
const PREAMBLE = /^(Invalid input|Invalid option|Too small|Too big|Invalid string): /;

/** Faults by path, the first of each; an empty text is told as missing, whatever else it is not. */
export function check(schema: z.ZodMiniType, body: unknown): FieldError[] {
  const result = schema.safeParse(body);
  if (result.success) return [];
  const found = new Map<string, string>();
  for (const issue of result.error.issues) {
    const path = issue.path.join(".");
    const value = issue.path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], body);
    if (!found.has(path)) found.set(path, typeof value === "string" && value.trim() === "" ? "" : issue.message.replace(PREAMBLE, ""));
  }
  return [...found].map(([path, message]) => ({ path, message }));
}
