import { createGroup } from "../../../contract/operations/teams.ts";
import { useForm } from "../use-form.ts";
import { useCreateGroup } from "./use-groups.ts";

/** The form that makes a group; `key` is made once per form. */
export const useNewGroupForm = (key: string) => useForm(useCreateGroup(key), createGroup.body, ["name"]);
