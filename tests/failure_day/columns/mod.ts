import type { Column } from "../column.ts";
import { abort } from "./abort.ts";
import { again } from "./again.ts";
import { bytes } from "./bytes.ts";
import { clock } from "./clock.ts";
import { close } from "./close.ts";
import { field } from "./field.ts";
import { forgotten } from "./forgotten.ts";
import { gone } from "./gone.ts";
import { half } from "./half.ts";
import { hostile } from "./hostile.ts";
import { recreated } from "./recreated.ts";
import { rights } from "./rights.ts";
import { silence } from "./silence.ts";
import { unavailable } from "./unavailable.ts";
import { userFunction } from "./user_function.ts";

/** All columns. */
export const columns: readonly Column[] = [
  abort,
  close,
  silence,
  half,
  bytes,
  unavailable,
  gone,
  hostile,
  recreated,
  rights,
  field,
  userFunction,
  again,
  forgotten,
  clock,
];
