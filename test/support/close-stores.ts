import { afterAll, vi } from "vitest";
import { closeTestStores } from "./test-store.ts";

afterAll(closeTestStores);
afterAll(() => void vi.useRealTimers());
