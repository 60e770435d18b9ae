import { inject } from "vitest";

/** The stores of the tests are databases of the real PostgreSQL from here on. */
process.env.TEST_DATABASE_URL = inject("postgresUrl");
