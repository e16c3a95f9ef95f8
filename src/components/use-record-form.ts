import { useState } from "react";
import type * as z from "zod/mini";
import { type FormMutation, useForm } from "./use-form.ts";

/**
 * Provides a form for a stored record. It shows the record's present values and holds only what is changed in the form, which is all that is to be sent:
 * what another tab changes stays.
 */
export function useRecordForm<V extends object, A>(mutation: FormMutation<Partial<V>, A>, schema: z.ZodMiniType | undefined, stored: V) {
  const form = useForm<Partial<V>, Partial<V>, A>(mutation, schema, {});
  const [wasSaved, setWasSaved] = useState(false);
  const changes = form.values;
  return {
    ...form,
    values: { ...stored, ...changes },
    changes,
    field: <K extends keyof V & string>(name: K, label: string) => {
      const { onChange, ...props } = form.field(name, label);
      return { ...props, value: name in changes ? (changes[name] as V[K]) : stored[name], onChange: (value: V[K]) => onChange(value) };
    },
    /** Call it once the present changes are saved; what was changed meanwhile stays a change. */
    onSaved() {
      form.updateValues((latest) => omitEqual(latest, changes));
      setWasSaved(true);
    },
    /** True until the next change after saving. */
    isSaved: wasSaved && Object.keys(changes).length === 0,
  };
}

/** Returns the members of a record whose values differ from those of another one. */
export const omitEqual = <V extends object>(record: V, other: V): V =>
  Object.fromEntries(Object.entries(record).filter(([name, value]) => !(name in other) || other[name as keyof V] !== value)) as V;
