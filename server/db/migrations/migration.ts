/** The shape of a migration, and column definitions that several migrations use. */
import type { ColumnDefinitionBuilder } from "kysely";
import type { Engine } from "../database.ts";
import type { Tx } from "../schema.ts";

export interface Migration {
  name: string;
  up(tx: Tx, engine: Engine): Promise<void>;
}

export const notNull = (column: ColumnDefinitionBuilder) => column.notNull();
export const requiredReference = (target: string) => (column: ColumnDefinitionBuilder) => column.notNull().references(target);
export const optionalReference = (target: string) => (column: ColumnDefinitionBuilder) => column.references(target);
export const withDefault = (value: string | number) => (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(value);
