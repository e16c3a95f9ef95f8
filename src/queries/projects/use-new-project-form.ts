import { createProject } from "../../../contract/operations/projects.ts";
import { useForm } from "../use-form.ts";
import { useCreateProject } from "./use-change-projects.ts";

/** The form that makes a project; `key` is made once per form. */
export const useNewProjectForm = (key: string) => useForm(useCreateProject(key), createProject.body, ["name", "group_id"]);
