import { afterAll } from "vitest";
import { closeTestStores } from "./test-store.ts";

afterAll(closeTestStores);
