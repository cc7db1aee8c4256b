// Generated from the OpenAPI document: npm run client -- --quickstart var/quickstart.json
export interface paths {
    "/api_key.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Creates an API key. Its token is shown only in this response.
         * @description Creates an API key. Its token is shown only in this response. Rules: [api-keys#create](/docs/guides/contract/api-keys.md#create).
         */
        post: operations["apiKeys.create"];
        /**
         * Deletes an API key: without an id, the key that the request carries.
         * @description Deletes an API key: without an id, the key that the request carries. Rules: [api-keys#delete](/docs/guides/contract/api-keys.md#delete).
         */
        delete: operations["apiKeys.deleteOwn"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api_key/renew.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Renews the API key of the request: its lifetime starts again.
         * @description Renews the API key of the request: its lifetime starts again. Rules: [api-keys#renew](/docs/guides/contract/api-keys.md#renew).
         */
        post: operations["apiKeys.renew"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api_key/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes an API key: without an id, the key that the request carries.
         * @description Deletes an API key: without an id, the key that the request carries. Rules: [api-keys#delete](/docs/guides/contract/api-keys.md#delete).
         */
        delete: operations["apiKeys.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/course.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists courses.
         * @description Lists courses. Rules: [courses#index](/docs/guides/contract/courses.md#index).
         */
        get: operations["courses.list"];
        put?: never;
        /**
         * Imports a course package, or registers a course that the provider already holds.
         * @description Imports a course package, or registers a course that the provider already holds. Rules: [courses#create](/docs/guides/contract/courses.md#create).
         */
        post: operations["courses.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/course/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a course.
         * @description Returns a course. Rules: [courses#show](/docs/guides/contract/courses.md#show).
         */
        get: operations["courses.get"];
        /**
         * Changes a course's title and custom text.
         * @description Changes a course's title and custom text. Rules: [courses#update](/docs/guides/contract/courses.md#update).
         */
        put: operations["courses.update"];
        post?: never;
        /**
         * Deletes a course with its registrations, at the course provider too.
         * @description Deletes a course with its registrations, at the course provider too. Rules: [courses#delete](/docs/guides/contract/courses.md#delete).
         */
        delete: operations["courses.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/course/check.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Checks a course package, and stores no course.
         * @description Checks a course package, and stores no course. Rules: [courses#check](/docs/guides/contract/courses.md#check).
         */
        post: operations["courses.check"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/course_provider.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the provider applications in reach, without their secrets.
         * @description Lists the provider applications in reach, without their secrets. Rules: [course-providers#index](/docs/guides/contract/course-providers.md#index).
         */
        get: operations["courseProviders.list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/registration.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists registrations with their progress, refreshed from the provider on request.
         * @description Lists registrations with their progress, refreshed from the provider on request. Rules: [registrations#index](/docs/guides/contract/registrations.md#index).
         */
        get: operations["registrations.list"];
        put?: never;
        /**
         * Registers a learner for a course.
         * @description Registers a learner for a course. Rules: [registrations#create](/docs/guides/contract/registrations.md#create).
         */
        post: operations["registrations.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/registration/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a registration with its progress, inactive and deleted ones too.
         * @description Returns a registration with its progress, inactive and deleted ones too. Rules: [registrations#show](/docs/guides/contract/registrations.md#show).
         */
        get: operations["registrations.get"];
        /**
         * Changes a registration's custom data.
         * @description Changes a registration's custom data. Rules: [registrations#update](/docs/guides/contract/registrations.md#update).
         */
        put: operations["registrations.update"];
        post?: never;
        /**
         * Deletes a registration, at the course provider too.
         * @description Deletes a registration, at the course provider too. Rules: [registrations#delete](/docs/guides/contract/registrations.md#delete).
         */
        delete: operations["registrations.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/registration/{registration_guid}/gcustom.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merges parameters into a registration's custom data.
         * @description Merges parameters into a registration's custom data. Rules: [registrations#gcustom](/docs/guides/contract/registrations.md#gcustom).
         */
        post: operations["registrations.mergeCustom"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/registration/{registration_guid}/launch_url.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns a URL that opens the course for the learner, soon and without a login.
         * @description Returns a URL that opens the course for the learner, soon and without a login. Rules: [registrations#launch](/docs/guides/contract/registrations.md#launch).
         */
        get: operations["registrations.launchUrl"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the realm's invitations.
         * @description Lists the realm's invitations. Rules: [invitations#index](/docs/guides/contract/invitations.md#index).
         */
        get: operations["invitations.list"];
        put?: never;
        /**
         * Creates an invitation.
         * @description Creates an invitation. Rules: [invitations#create](/docs/guides/contract/invitations.md#create).
         */
        post: operations["invitations.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Returns an invitation.
         * @description Returns an invitation. Rules: [invitations#show](/docs/guides/contract/invitations.md#show).
         */
        get: operations["invitations.get"];
        /**
         * Changes an invitation.
         * @description Changes an invitation. Rules: [invitations#update](/docs/guides/contract/invitations.md#update).
         */
        put: operations["invitations.update"];
        post?: never;
        /**
         * Deletes an invitation with its seats; the registrations of its learners become inactive.
         * @description Deletes an invitation with its seats; the registrations of its learners become inactive. Rules: [invitations#delete](/docs/guides/contract/invitations.md#delete).
         */
        delete: operations["invitations.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/gupdate.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes an invitation.
         * @description Changes an invitation. Rules: [invitations#update](/docs/guides/contract/invitations.md#update).
         */
        get: operations["invitations.updateByName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/invitation/add_learners.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Adds learners to an invitation and removes others, with their registrations and license seats.
         * @description Adds learners to an invitation and removes others, with their registrations and license seats. Rules: [invitations#add-learners](/docs/guides/contract/invitations.md#add-learners).
         */
        post: operations["invitations.addLearners"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realm_user.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the realm's users.
         * @description Lists the realm's users. Rules: [realm-users#index](/docs/guides/contract/realm-users.md#index).
         */
        get: operations["realmUsers.list"];
        /**
         * Changes a user of the realm.
         * @description Changes a user of the realm. Rules: [realm-users#update](/docs/guides/contract/realm-users.md#update).
         */
        put: operations["realmUsers.updateByEmail"];
        /**
         * Creates a user of the realm.
         * @description Creates a user of the realm. Rules: [realm-users#create](/docs/guides/contract/realm-users.md#create).
         */
        post: operations["realmUsers.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realm_user/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Changes a user of the realm.
         * @description Changes a user of the realm. Rules: [realm-users#update](/docs/guides/contract/realm-users.md#update).
         */
        put: operations["realmUsers.update"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realm_user/gcustom.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merges parameters into a realm user's custom data.
         * @description Merges parameters into a realm user's custom data. Rules: [realm-users#gcustom](/docs/guides/contract/realm-users.md#gcustom).
         */
        post: operations["realmUsers.mergeCustom"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/realm_user/autocomplete.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists e-mail addresses of users that match a text.
         * @description Lists e-mail addresses of users that match a text. Rules: [realm-users#autocomplete](/docs/guides/contract/realm-users.md#autocomplete).
         */
        get: operations["realmUsers.autocomplete"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/template.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the realm's templates.
         * @description Lists the realm's templates. Rules: [templates#index](/docs/guides/contract/templates.md#index).
         */
        get: operations["templates.list"];
        put?: never;
        /**
         * Creates a template.
         * @description Creates a template. Rules: [templates#create](/docs/guides/contract/templates.md#create).
         */
        post: operations["templates.create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/template/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Changes a template.
         * @description Changes a template. Rules: [templates#update](/docs/guides/contract/templates.md#update).
         */
        put: operations["templates.update"];
        post?: never;
        /**
         * Deletes a template.
         * @description Deletes a template. Rules: [templates#delete](/docs/guides/contract/templates.md#delete).
         */
        delete: operations["templates.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/template/gupdate.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Changes a template.
         * @description Changes a template. Rules: [templates#update](/docs/guides/contract/templates.md#update).
         */
        get: operations["templates.updateByName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/initialize.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Creates or refreshes the built-in stored queries.
         * @description Creates or refreshes the built-in stored queries. Rules: [stored-queries#initialize](/docs/guides/contract/stored-queries.md#initialize).
         */
        get: operations["storedQueries.initialize"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/run.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Runs a stored query and returns its rows.
         * @description Runs a stored query and returns its rows. Rules: [stored-queries#run](/docs/guides/contract/stored-queries.md#run).
         */
        get: operations["storedQueries.run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/stored_query/{id}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Deletes a stored query of the realm or of a provider application.
         * @description Deletes a stored query of the realm or of a provider application. Rules: [stored-queries#delete](/docs/guides/contract/stored-queries.md#delete).
         */
        delete: operations["storedQueries.delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @example {
         *       "id": 1,
         *       "access_token": "rgk_s1wlCokO4FcgiPeiXMavrhjFiAFQuvhQi8h_lZaVyBI",
         *       "token_type": null,
         *       "created_at": "2026-11-22T08:17:38Z",
         *       "updated_at": "2026-11-22T08:17:38Z",
         *       "expires_at": "2026-12-22T08:17:38Z",
         *       "user_id": null,
         *       "course_provider_id": null,
         *       "realm_id": 1
         *     }
         */
        ApiKey: {
            id: number;
            access_token: string;
            token_type: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            expires_at: string | null;
            user_id: number | null;
            course_provider_id: number | null;
            realm_id: number;
        };
        /**
         * @example {
         *       "id": 3,
         *       "token_type": null,
         *       "created_at": "2026-11-22T08:17:42Z",
         *       "updated_at": "2026-11-22T08:17:42Z",
         *       "expires_at": "2026-11-23T08:17:42Z",
         *       "user_id": 1,
         *       "course_provider_id": null,
         *       "realm_id": 1
         *     }
         */
        DeletedApiKey: {
            id: number;
            token_type: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /** Format: date-time */
            expires_at: string | null;
            user_id: number | null;
            course_provider_id: number | null;
            realm_id: number;
        };
        /**
         * @example {
         *       "id": 1,
         *       "course_guid": "first-aid-basics",
         *       "course_provider_id": 1,
         *       "title": "First aid basics",
         *       "size": 9952,
         *       "versions": 0,
         *       "registrations": 0,
         *       "created_at": "2026-11-22T08:17:29Z",
         *       "updated_at": "2026-11-22T08:17:29Z",
         *       "custom": null
         *     }
         */
        Course: {
            id: number;
            course_guid: string;
            course_provider_id: number;
            title: string;
            size: number;
            versions: number;
            registrations: (number | null) | components["schemas"]["Registration"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            custom: string | null;
            /** @description Shown only when `fields` names it. */
            warnings?: string[];
        };
        /**
         * @example {
         *       "severity": "error",
         *       "file": "imsmanifest.xml",
         *       "line": 14,
         *       "rule": "launch-missing",
         *       "message": "The manifest launches lesson.html, which the package does not contain.",
         *       "remedy": "Add the file to the package, or correct href and xml:base in the manifest."
         *     }
         */
        Finding: {
            /** @enum {string} */
            severity: "error" | "warning" | "info";
            file: string | null;
            line: number | null;
            /** @description The stable identifier of the rule. */
            rule: string;
            /** @description What is wrong: text for people. */
            message: string;
            /** @description What to do: text for people. */
            remedy: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "name": "Demo",
         *       "sc_app_id": "demo-98565e50",
         *       "url": "http://localhost:8090",
         *       "realm_id": 1,
         *       "created_at": "2026-11-22T08:17:29Z",
         *       "updated_at": "2026-11-22T08:17:29Z"
         *     }
         */
        CourseProvider: {
            id: number;
            name: string;
            sc_app_id: string;
            url: string;
            realm_id: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "registration_guid": "3831a7c3-47b8-484d-9fcf-27d2f6c8a04e",
         *       "course_guid": "first-aid-basics",
         *       "learner_id": "learner@example.com",
         *       "attempts": 1,
         *       "complete": "complete",
         *       "success": "succeeded",
         *       "score": 100,
         *       "totaltime": 1.4035,
         *       "course_result": "<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n<rsp stat=\"ok\"><registrationreport format=\"course\" regid=\"3831a7c3-47b8-484d-9fcf-27d2f6c8a04e\" instanceid=\"0\"><complete>complete</complete><success>passed</success><totaltime>1.4035</totaltime><score>100</score></registrationreport></rsp>",
         *       "full_result": null,
         *       "crawl_type": "course",
         *       "crawl_status": "success",
         *       "crawl_error_msg": null,
         *       "number_of_crawl_errors": 0,
         *       "last_crawled_at": "2026-11-22T08:17:41Z",
         *       "launched_at": "2026-11-22T08:17:38Z",
         *       "provider_created_at": "2026-11-22T08:17:38Z",
         *       "provider_completed_at": "2026-11-22T08:17:41Z",
         *       "provider_accessed_at": "2026-11-22T08:17:41Z",
         *       "provider_errcode": null,
         *       "provider_error_message": null,
         *       "deleted": null,
         *       "custom": null,
         *       "hosted_app_id": 1,
         *       "hosted_course_id": 1,
         *       "created_at": "2026-11-22T08:17:38Z",
         *       "updated_at": "2026-11-22T08:17:41Z"
         *     }
         */
        Registration: {
            id: number;
            registration_guid: string;
            course_guid: string;
            learner_id: string;
            attempts: number;
            /** @enum {string} */
            complete: "unknown" | "incomplete" | "complete";
            /** @enum {string} */
            success: "unknown" | "failed" | "succeeded";
            score: number | null;
            totaltime: number;
            course_result: string | null;
            full_result: string | null;
            crawl_type: string | null;
            /** @enum {string|null} */
            crawl_status: "success" | "error" | null;
            crawl_error_msg: string | null;
            number_of_crawl_errors: number;
            /** Format: date-time */
            last_crawled_at: string | null;
            /** Format: date-time */
            launched_at: string | null;
            /** Format: date-time */
            provider_created_at: string | null;
            /** Format: date-time */
            provider_completed_at: string | null;
            /** Format: date-time */
            provider_accessed_at: string | null;
            provider_errcode: string | null;
            provider_error_message: string | null;
            deleted: number | null;
            /** @description Any JSON value. */
            custom: unknown;
            hosted_app_id?: number;
            hosted_course_id?: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            active?: boolean;
            course_provider_id?: number;
            course_id?: number | null;
            /** @description A former name of `hosted_app_id`, shown only when `fields` names it. */
            scorm_cloud_app_id?: number;
            /** @description A former name of `hosted_course_id`, shown only when `fields` names it. */
            scorm_cloud_course_id?: number | null;
            /**
             * Format: date-time
             * @description Shown only when `fields` names it.
             */
            synced_at?: string | null;
        };
        /**
         * @example {
         *       "launch_url": "http://38a512c78b79afad1944212629999ddf.localhost:8090/launch/eyJhbGciOiJIUzI1NiIsImtpZCI6Img2czhnOXBPcVpoUSJ9.eyJnZW5lcmF0aW9uIjowLCJsYWJlbCI6IjM4YTUxMmM3OGI3OWFmYWQxOTQ0MjEyNjI5OTk5ZGRmIiwidHJhY2tpbmciOnRydWUsInJlZGlyZWN0VXJsIjoiaHR0cDovL2xvY2FsaG9zdDo4MDgwL2RvY3MiLCJzdWIiOiIxIiwiYXVkIjoibGF1bmNoIiwiZXhwIjoxNzk1MzM1NTc4fQ.8RojC8tC6IDW3EV-W3FTQMELp_CLAVHrk_CJNR-AwzI"
         *     }
         */
        Launch: {
            launch_url: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "name": "spring",
         *       "description": "Spring courses",
         *       "enabled": true,
         *       "license": true,
         *       "avoid_duplicate_registrations": false,
         *       "no_updates_allowed": false,
         *       "custom": "{\"license\":true,\"license_data\":{\"fire-safety\":{\"seats_available\":0},\"first-aid-basics\":{\"seats_available\":0}}}",
         *       "course_guids": [
         *         "first-aid-basics",
         *         "fire-safety"
         *       ],
         *       "learners": [
         *         "one@example.com",
         *         "two@example.com"
         *       ],
         *       "registration_guids": [
         *         "1cf2c317-a63d-4055-ade2-3e02075c1411",
         *         "3be78b3b-0733-469b-bab7-c403d576755a",
         *         "16d9cd06-b00b-44ad-87cf-4fca38025c90"
         *       ],
         *       "realm_id": 1
         *     }
         */
        Invitation: {
            id: number;
            name: string;
            description: string | null;
            enabled: boolean;
            license: boolean;
            avoid_duplicate_registrations: boolean;
            no_updates_allowed: boolean;
            custom: string | null;
            course_guids: string[];
            learners: string[];
            registration_guids: string[];
            realm_id: number;
            invitation_template_id?: number | null;
            /** Format: date-time */
            created_at?: string;
            /** Format: date-time */
            updated_at?: string;
        };
        /**
         * @example {
         *       "record": {
         *         "id": 1,
         *         "name": "spring",
         *         "description": null,
         *         "enabled": true,
         *         "license": true,
         *         "avoid_duplicate_registrations": false,
         *         "no_updates_allowed": false,
         *         "custom": "{\"license\":true,\"license_data\":{\"fire-safety\":{\"seats_available\":0},\"first-aid-basics\":{\"seats_available\":0}}}",
         *         "course_guids": [
         *           "first-aid-basics",
         *           "fire-safety"
         *         ],
         *         "learners": [
         *           "one@example.com",
         *           "two@example.com"
         *         ],
         *         "realm_id": 1,
         *         "invitation_template_id": null,
         *         "created_at": "2026-11-22T08:17:41Z",
         *         "updated_at": "2026-11-22T08:17:41Z"
         *       },
         *       "registration_guids": {
         *         "one@example.com": {
         *           "first-aid-basics": {
         *             "title": "First aid basics",
         *             "registration_guid": "1cf2c317-a63d-4055-ade2-3e02075c1411"
         *           },
         *           "fire-safety": {
         *             "title": "Fire safety at work",
         *             "registration_guid": "3be78b3b-0733-469b-bab7-c403d576755a"
         *           }
         *         },
         *         "two@example.com": {
         *           "first-aid-basics": {
         *             "title": "First aid basics",
         *             "registration_guid": "16d9cd06-b00b-44ad-87cf-4fca38025c90"
         *           }
         *         }
         *       },
         *       "messages": [
         *         "No seat is free for the course \"Fire safety at work\". In the invitation without a registration for it: two@example.com.",
         *         "Success! one@example.com was added to the license \"spring\": registrations for 2 of its 2 courses.",
         *         "Success! two@example.com was added to the license \"spring\": registrations for 1 of its 2 courses."
         *       ]
         *     }
         */
        AddedLearners: {
            id?: number;
            name?: string;
            description?: string | null;
            enabled?: boolean;
            license?: boolean;
            avoid_duplicate_registrations?: boolean;
            no_updates_allowed?: boolean;
            custom?: string | null;
            course_guids?: string[];
            learners?: string[];
            registration_guids: string[] | {
                [key: string]: {
                    [key: string]: {
                        title: string;
                        registration_guid: string;
                    };
                };
            };
            realm_id?: number;
            invitation_template_id?: number | null;
            /** Format: date-time */
            created_at?: string;
            /** Format: date-time */
            updated_at?: string;
            messages?: string[];
            record?: {
                id: number;
                name: string;
                description: string | null;
                enabled: boolean;
                license: boolean;
                avoid_duplicate_registrations: boolean;
                no_updates_allowed: boolean;
                custom: string | null;
                course_guids: string[];
                learners: string[];
                realm_id: number;
                invitation_template_id: number | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            };
        };
        /**
         * @example {
         *       "id": 4,
         *       "realm_id": 1,
         *       "realm_role_id": 2,
         *       "user_id": 4,
         *       "custom": "{\"badge\":7}",
         *       "created_at": "2026-11-22T08:17:42Z",
         *       "updated_at": "2026-11-22T08:17:42Z",
         *       "email": "teacher@example.com"
         *     }
         */
        RealmUser: {
            id: number;
            realm_id: number;
            realm_role_id: number;
            user_id: number;
            custom: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            email: string;
        };
        /**
         * @example {
         *       "id": 1,
         *       "name": "welcome",
         *       "body": "Welcome!",
         *       "markup": "mustache",
         *       "mimetype": "text/plain",
         *       "realm_id": 1,
         *       "created_at": "2026-11-22T08:17:42Z",
         *       "updated_at": "2026-11-22T08:17:42Z"
         *     }
         */
        Template: {
            id: number;
            name: string;
            body: string;
            markup: string | null;
            mimetype: string | null;
            realm_id: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /**
         * @example {
         *       "name": "completion_by_course",
         *       "query_scope": "bright"
         *     }
         */
        StoredQuery: {
            name: string;
            /** @enum {string} */
            query_scope: "bright" | "realm" | "provider";
        };
        /** @example {} */
        ReportageUrls: Record<string, never>;
        /**
         * @description The columns of a stored query by their names.
         * @example {
         *       "course_guid": "fire-safety",
         *       "course_title": "Fire safety at work",
         *       "registrations": 1,
         *       "learners": 1,
         *       "completed": 0,
         *       "completion_rate": 0,
         *       "succeeded": 0,
         *       "failed": 0,
         *       "average_score": null
         *     }
         */
        QueryRow: {
            [key: string]: unknown;
        };
        Problem: {
            /** @description A relative reference to the rule of the contract. Stable. */
            type: string;
            /** @description The kind of problem. */
            title: string;
            /** @description The status of the response. */
            status: number;
            /** @description What is wrong with the request: text for people. */
            detail: string;
            /** @description The name of the parameter at fault. */
            parameter?: string;
            /** @description The `X-Request-Id` of the response. */
            request_id: string;
            /** @description What was found in the course package that the course provider refuses. */
            findings?: {
                /** @enum {string} */
                severity: "error" | "warning" | "info";
                /** @description The path of the file in the package; null for the whole package. */
                file: string | null;
                /** @description The line in the file, from 1; null if no line is meant. */
                line: number | null;
                /** @description The stable identifier of the rule. */
                rule: string;
                /** @description What is wrong: text for people. */
                message: string;
                /** @description What to do: text for people. */
                remedy: string;
            }[];
        };
    };
    responses: {
        /** @description The client has the response: `If-None-Match` names its `ETag`. */
        notModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The record exists already and is unchanged. There is no Location header. */
        error302: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No valid access mode. */
        error401: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The course provider refused the request. */
        error403: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    error_code: string;
                    error_message: string;
                    error_url: string;
                };
            };
        };
        /** @description A record that the request names does not exist in the reach of this access. On registration create also: `course_guid` is missing, or the body cannot be read. */
        error404: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The format is not json, xml or csv. */
        error406: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description An invalid request: a parameter is malformed, unknown or contradictory. */
        error500: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description More than one access mode. */
        error501: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A dependency is unavailable, or the service is overloaded. `Retry-After` says when to try again. */
        error503: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request exceeded its deadline. */
        error504: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
        idempotencyKey: string;
        /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
        fields: string;
        /** @description The field set to show. */
        template: "public" | "public_minimum" | "extended";
        /** @description The same as `template`. */
        api_template: "public" | "public_minimum" | "extended";
    };
    requestBodies: never;
    headers: {
        /** @description The id of the request, which the log of the service has too. */
        "X-Request-Id": string;
        /** @description The seconds after which to try again. */
        "Retry-After": number;
        /** @description Identifies the response: `If-None-Match` with it returns 304 as long as it is the same. */
        ETag: string;
        /** @description The next page, with `rel="next"`, as long as there is one: relative to the request, without access. */
        Link: string;
        /** @description The number of records of the whole list, with `count`. */
        "X-Total-Count": number;
        /** @description The greatest age of the data in seconds, where they are those of a copy of the database. */
        Age: number;
        /** @description The response is that of the first request with this `Idempotency-Key`. */
        "Idempotency-Replayed": "true";
        /** @description What is left of each limit, where requests per second are limited. */
        RateLimit: string;
        /** @description The limits, where requests per second are limited. */
        "RateLimit-Policy": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "apiKeys.create": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "permissions": "read,launch",
                 *       "lifetime_hours": 8
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description Binds the key to this user, who is created if necessary.
                     */
                    user_email?: string;
                    /** @description With a realm pair: binds the key to this provider application. */
                    course_provider_id?: number;
                    /**
                     * @description What the key may be used for, separated by commas; without it, everything.
                     * @example read,launch
                     */
                    permissions?: string;
                    /**
                     * @description Shortens the lifetime of the key.
                     * @example 8
                     */
                    lifetime_hours?: number;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * Format: email
                     * @description Binds the key to this user, who is created if necessary.
                     */
                    user_email?: string;
                    /** @description With a realm pair: binds the key to this provider application. */
                    course_provider_id?: number;
                    /**
                     * @description What the key may be used for, separated by commas; without it, everything.
                     * @example read,launch
                     */
                    permissions?: string;
                    /**
                     * @description Shortens the lifetime of the key.
                     * @example 8
                     */
                    lifetime_hours?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    "apiKeys.deleteOwn": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedApiKey"];
                };
            };
        };
    };
    "apiKeys.renew": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
        };
    };
    "apiKeys.delete": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the api key.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedApiKey"];
                };
            };
        };
    };
    "courses.list": {
        parameters: {
            query?: {
                /** @description The same as `course_guid`. */
                id?: string;
                /** @description The course with this GUID. */
                course_guid?: string;
                /** @description Courses with this title. */
                title?: string;
                /** @description Courses with this custom text. */
                custom?: string;
                /** @description With a user-bound key: nests that user's most recent registration. */
                include_registrations?: boolean;
                /**
                 * @description Returns a page of at most so many records, 1 to 500. The header `Link` has the next page.
                 * @example 100
                 */
                limit?: number;
                /** @description Where the page begins, from the `Link` of the page before. */
                cursor?: string;
                /** @description Shows the number of all records that match in the header `X-Total-Count`, unless counting takes too long. */
                count?: boolean;
                /** @description Begins a response in CSV with a byte order mark, for spreadsheet programs. */
                bom?: boolean;
                /** @description Several values of `course_guid`, of which any must match. */
                "course_guid[]"?: string[];
                /** @description A regular expression that `id` must match. If repeated or numbered (`id_re0`), all must match. */
                id_re?: string[];
                /** @description A regular expression that `course_guid` must match. If repeated or numbered (`course_guid_re0`), all must match. */
                course_guid_re?: string[];
                /** @description A regular expression that `title` must match. If repeated or numbered (`title_re0`), all must match. */
                title_re?: string[];
                /** @description A regular expression that `custom` must match. If repeated or numbered (`custom_re0`), all must match. */
                custom_re?: string[];
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Course"][];
                };
            };
        };
    };
    "courses.create": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "multipart/form-data": {
                    /**
                     * @description The GUID of the new course, or of the course that the provider holds.
                     * @example first-aid-basics
                     */
                    course_guid?: string;
                    /** @description The provider application, if the access reaches several. */
                    course_provider_id?: number;
                    /**
                     * @description Replaces the package's title.
                     * @example First aid basics
                     */
                    title?: string;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"level":1}
                     */
                    custom?: string;
                    /**
                     * Format: binary
                     * @description A course package: a zip file.
                     */
                    file?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Course"];
                };
            };
        };
    };
    "courses.get": {
        parameters: {
            query?: {
                /** @description With a user-bound key: nests that user's most recent registration. */
                include_registrations?: boolean;
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path: {
                /**
                 * @description The GUID of the course.
                 * @example first-aid-basics
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Course"];
                };
            };
        };
    };
    "courses.update": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The GUID of the course.
                 * @example first-aid-basics
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "title": "First aid basics",
                 *       "custom": "{\"level\":1}"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The new title.
                     * @example First aid basics
                     */
                    title?: string;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"level":1}
                     */
                    custom?: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description The new title.
                     * @example First aid basics
                     */
                    title?: string;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"level":1}
                     */
                    custom?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Course"];
                };
            };
        };
    };
    "courses.delete": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The GUID of the course.
                 * @example first-aid-basics
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Course"];
                };
            };
        };
    };
    "courses.check": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description A course package: a zip file.
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Finding"][];
                };
            };
        };
    };
    "courseProviders.list": {
        parameters: {
            query?: {
                /**
                 * @description Returns a page of at most so many records, 1 to 500. The header `Link` has the next page.
                 * @example 100
                 */
                limit?: number;
                /** @description Where the page begins, from the `Link` of the page before. */
                cursor?: string;
                /** @description Shows the number of all records that match in the header `X-Total-Count`, unless counting takes too long. */
                count?: boolean;
                /** @description Begins a response in CSV with a byte order mark, for spreadsheet programs. */
                bom?: boolean;
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CourseProvider"][];
                };
            };
        };
    };
    "registrations.list": {
        parameters: {
            query?: {
                /** @description The same as `registration_guid`. */
                id?: string;
                /** @description The registration with this GUID. */
                registration_guid?: string;
                /** @description Registrations for the course with this GUID. */
                course_guid?: string;
                /** @description Registrations of the learner with this e-mail address; case is ignored. */
                learner_id?: string;
                /** @description Only the most recently created registration. */
                last_only?: boolean;
                /** @description Refreshes from the provider first, at most 100 registrations. */
                crawl?: boolean;
                /** @description Refreshes from the provider first those launched since their last crawl. */
                refresh_if_launched?: boolean;
                /**
                 * @description Refreshes from the provider first those whose `synced_at`, which `fields` can name, is more seconds ago.
                 * @example 60
                 */
                max_age?: number;
                /** @description Lists inactive registrations too, and shows `active` in each. */
                include_inactive?: boolean;
                /** @description When false, leaves out registrations that were deleted at the provider. */
                include_deleted?: boolean;
                /** @description Registrations of this completion. */
                complete?: "unknown" | "incomplete" | "complete";
                /** @description Registrations of this success. */
                success?: "unknown" | "failed" | "succeeded";
                /** @description Registrations that were updated at this time or later, in the order of `updated_at` unless `sort` is given. */
                updated_since?: string;
                /** @description Registrations that were created at this time or later. */
                created_since?: string;
                /** @description The order of the list, with a minus the reverse order. `id` by default. */
                sort?: "id" | "-id" | "updated_at" | "-updated_at";
                /**
                 * @description Returns a page of at most so many records, 1 to 500. The header `Link` has the next page.
                 * @example 100
                 */
                limit?: number;
                /** @description Where the page begins, from the `Link` of the page before. */
                cursor?: string;
                /** @description Shows the number of all records that match in the header `X-Total-Count`, unless counting takes too long. */
                count?: boolean;
                /** @description Begins a response in CSV with a byte order mark, for spreadsheet programs. */
                bom?: boolean;
                /** @description Several values of `course_guid`, of which any must match. */
                "course_guid[]"?: string[];
                /** @description A regular expression that `id` must match. If repeated or numbered (`id_re0`), all must match. */
                id_re?: string[];
                /** @description A regular expression that `registration_guid` must match. If repeated or numbered (`registration_guid_re0`), all must match. */
                registration_guid_re?: string[];
                /** @description A regular expression that `course_guid` must match. If repeated or numbered (`course_guid_re0`), all must match. */
                course_guid_re?: string[];
                /** @description A regular expression that `learner_id` must match. If repeated or numbered (`learner_id_re0`), all must match. */
                learner_id_re?: string[];
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registration"][];
                };
            };
        };
    };
    "registrations.create": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "course_guid": "first-aid-basics",
                 *       "learner_id": "learner@example.com",
                 *       "fname": "Robin",
                 *       "lname": "Learner"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The course's GUID.
                     * @example first-aid-basics
                     */
                    course_guid: string;
                    /**
                     * Format: email
                     * @description The learner's e-mail address; optional with a user-bound key.
                     * @example learner@example.com
                     */
                    learner_id?: string;
                    /** @description Returns an existing registration of this course and learner, if there is one. */
                    dont_duplicate?: boolean;
                    /** @description Looks for an existing registration at the provider too. Also named `check_scorm_cloud`. */
                    check_hosted?: boolean;
                    /**
                     * @description The learner's first name at the provider. Also named `first_name`.
                     * @example Robin
                     */
                    fname?: string;
                    /**
                     * @description The learner's last name at the provider. Also named `last_name`.
                     * @example Learner
                     */
                    lname?: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description The course's GUID.
                     * @example first-aid-basics
                     */
                    course_guid: string;
                    /**
                     * Format: email
                     * @description The learner's e-mail address; optional with a user-bound key.
                     * @example learner@example.com
                     */
                    learner_id?: string;
                    /** @description Returns an existing registration of this course and learner, if there is one. */
                    dont_duplicate?: boolean;
                    /** @description Looks for an existing registration at the provider too. Also named `check_scorm_cloud`. */
                    check_hosted?: boolean;
                    /**
                     * @description The learner's first name at the provider. Also named `first_name`.
                     * @example Robin
                     */
                    fname?: string;
                    /**
                     * @description The learner's last name at the provider. Also named `last_name`.
                     * @example Learner
                     */
                    lname?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registration"];
                };
            };
        };
    };
    "registrations.get": {
        parameters: {
            query?: {
                /** @description Refreshes from the provider first, at most 100 registrations. */
                crawl?: boolean;
                /** @description Refreshes from the provider first those launched since their last crawl. */
                refresh_if_launched?: boolean;
                /**
                 * @description Refreshes from the provider first those whose `synced_at`, which `fields` can name, is more seconds ago.
                 * @example 60
                 */
                max_age?: number;
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path: {
                /** @description The GUID of the registration. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registration"];
                };
            };
        };
    };
    "registrations.update": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /** @description The GUID of the registration. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "custom": {
                 *         "department": "sales"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Any JSON value.
                     * @example {
                     *       "department": "sales"
                     *     }
                     */
                    custom: unknown;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description Any JSON value.
                     * @example {"department":"sales"}
                     */
                    custom: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registration"];
                };
            };
        };
    };
    "registrations.delete": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /** @description The GUID of the registration. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registration"];
                };
            };
        };
    };
    "registrations.mergeCustom": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /** @description The GUID of the registration. */
                registration_guid: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "key": "client",
                 *       "seen": "2"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The member of `custom` that all other parameters are merged into.
                     * @example client
                     */
                    key?: string;
                    /** @description The other parameters are JSON text. */
                    php_json_encoded?: boolean;
                } & {
                    [key: string]: unknown;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description The member of `custom` that all other parameters are merged into.
                     * @example client
                     */
                    key?: string;
                    /** @description The other parameters are JSON text. */
                    php_json_encoded?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Registration"];
                };
            };
        };
    };
    "registrations.launchUrl": {
        parameters: {
            query?: {
                /** @description Opens the course for reading; no progress is tracked. */
                review?: boolean;
                /**
                 * @description Where the browser goes when the learner exits the course.
                 * @example https://client.example/back?a=1
                 */
                redirect_url?: string;
                /**
                 * @deprecated
                 * @description Accepted from older clients; has no effect.
                 * @example []
                 */
                tags?: string;
                /**
                 * @deprecated
                 * @description Has no effect.
                 * @example t
                 */
                launching?: string;
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path: {
                /** @description The GUID of the registration. */
                registration_guid: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Launch"];
                };
            };
        };
    };
    "invitations.list": {
        parameters: {
            query?: {
                /** @description The invitation with this id. */
                id?: number;
                /** @description The invitation with this name. */
                name?: string;
                /**
                 * @description Returns a page of at most so many records, 1 to 500. The header `Link` has the next page.
                 * @example 100
                 */
                limit?: number;
                /** @description Where the page begins, from the `Link` of the page before. */
                cursor?: string;
                /** @description Shows the number of all records that match in the header `X-Total-Count`, unless counting takes too long. */
                count?: boolean;
                /** @description Begins a response in CSV with a byte order mark, for spreadsheet programs. */
                bom?: boolean;
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"][];
                };
            };
        };
    };
    "invitations.create": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "autumn",
                 *       "description": "Spring courses",
                 *       "custom": "{\"department\":\"sales\"}",
                 *       "license_data": {},
                 *       "course_guids": [
                 *         "first-aid-basics"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The name, which no other invitation of the realm has. A license without one gets a generated key.
                     * @example autumn
                     */
                    name?: string;
                    /**
                     * @description What the invitation is for.
                     * @example Spring courses
                     */
                    description?: string;
                    /** @description Whether learners can be added. */
                    enabled?: boolean;
                    /** @description Whether the invitation is a license with seats (`license_data` in `custom`). */
                    license?: boolean;
                    /** @description Whether a learner keeps an existing registration for a course. */
                    avoid_duplicate_registrations?: boolean;
                    /** @description Whether the list of learners is frozen. */
                    no_updates_allowed?: boolean;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"department":"sales"}
                     */
                    custom?: string;
                    /**
                     * @description Seats by course GUID, which replace `license_data` in `custom`.
                     * @example {}
                     */
                    license_data?: {
                        [key: string]: {
                            seats_available: number;
                        };
                    };
                    /**
                     * @description The GUIDs of its courses.
                     * @example [
                     *       "first-aid-basics"
                     *     ]
                     */
                    course_guids?: string[];
                    /** @description The template of its messages. */
                    invitation_template_id?: number;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description The name, which no other invitation of the realm has. A license without one gets a generated key.
                     * @example autumn
                     */
                    name?: string;
                    /**
                     * @description What the invitation is for.
                     * @example Spring courses
                     */
                    description?: string;
                    /** @description Whether learners can be added. */
                    enabled?: boolean;
                    /** @description Whether the invitation is a license with seats (`license_data` in `custom`). */
                    license?: boolean;
                    /** @description Whether a learner keeps an existing registration for a course. */
                    avoid_duplicate_registrations?: boolean;
                    /** @description Whether the list of learners is frozen. */
                    no_updates_allowed?: boolean;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"department":"sales"}
                     */
                    custom?: string;
                    /**
                     * @description Seats by course GUID, which replace `license_data` in `custom`.
                     * @example {}
                     */
                    license_data?: string;
                    /**
                     * @description The GUIDs of its courses.
                     * @example ["first-aid-basics"]
                     */
                    course_guids?: string;
                    /** @description The template of its messages. */
                    invitation_template_id?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    "invitations.get": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path: {
                /**
                 * @description The id of the invitation.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    "invitations.update": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the invitation.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "description": "Spring courses",
                 *       "custom": "{\"department\":\"sales\"}",
                 *       "license_data": {},
                 *       "course_guids": [
                 *         "first-aid-basics"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description With an id in the path: the new name. Without: the invitation to change. */
                    name?: string;
                    /**
                     * @description What the invitation is for.
                     * @example Spring courses
                     */
                    description?: string;
                    /** @description Whether learners can be added. */
                    enabled?: boolean;
                    /** @description Whether the invitation is a license with seats (`license_data` in `custom`). */
                    license?: boolean;
                    /** @description Whether a learner keeps an existing registration for a course. */
                    avoid_duplicate_registrations?: boolean;
                    /** @description Whether the list of learners is frozen. */
                    no_updates_allowed?: boolean;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"department":"sales"}
                     */
                    custom?: string;
                    /**
                     * @description Seats by course GUID, which replace `license_data` in `custom`.
                     * @example {}
                     */
                    license_data?: {
                        [key: string]: {
                            seats_available: number;
                        };
                    };
                    /**
                     * @description The GUIDs of its courses.
                     * @example [
                     *       "first-aid-basics"
                     *     ]
                     */
                    course_guids?: string[];
                    /** @description The template of its messages. */
                    invitation_template_id?: number;
                };
                "application/x-www-form-urlencoded": {
                    /** @description With an id in the path: the new name. Without: the invitation to change. */
                    name?: string;
                    /**
                     * @description What the invitation is for.
                     * @example Spring courses
                     */
                    description?: string;
                    /** @description Whether learners can be added. */
                    enabled?: boolean;
                    /** @description Whether the invitation is a license with seats (`license_data` in `custom`). */
                    license?: boolean;
                    /** @description Whether a learner keeps an existing registration for a course. */
                    avoid_duplicate_registrations?: boolean;
                    /** @description Whether the list of learners is frozen. */
                    no_updates_allowed?: boolean;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"department":"sales"}
                     */
                    custom?: string;
                    /**
                     * @description Seats by course GUID, which replace `license_data` in `custom`.
                     * @example {}
                     */
                    license_data?: string;
                    /**
                     * @description The GUIDs of its courses.
                     * @example ["first-aid-basics"]
                     */
                    course_guids?: string;
                    /** @description The template of its messages. */
                    invitation_template_id?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    "invitations.delete": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the invitation.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    "invitations.updateByName": {
        parameters: {
            query: {
                /**
                 * @description With an id in the path: the new name. Without: the invitation to change.
                 * @example autumn
                 */
                name: string;
                /**
                 * @description What the invitation is for.
                 * @example Spring courses
                 */
                description?: string;
                /** @description Whether learners can be added. */
                enabled?: boolean;
                /** @description Whether the invitation is a license with seats (`license_data` in `custom`). */
                license?: boolean;
                /** @description Whether a learner keeps an existing registration for a course. */
                avoid_duplicate_registrations?: boolean;
                /** @description Whether the list of learners is frozen. */
                no_updates_allowed?: boolean;
                /**
                 * @description Any text, usually JSON.
                 * @example {"department":"sales"}
                 */
                custom?: string;
                /**
                 * @description Seats by course GUID, which replace `license_data` in `custom`.
                 * @example {}
                 */
                license_data?: string;
                /**
                 * @description The GUIDs of its courses.
                 * @example ["first-aid-basics"]
                 */
                course_guids?: string;
                /** @description The template of its messages. */
                invitation_template_id?: number;
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
        };
    };
    "invitations.addLearners": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "autumn",
                 *       "learners": [
                 *         "learner@example.com"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The name of the invitation.
                     * @example autumn
                     */
                    name: string;
                    /**
                     * @description The e-mail addresses of the learners to add.
                     * @example [
                     *       "learner@example.com"
                     *     ]
                     */
                    learners?: string[];
                    /** @description The e-mail addresses of the learners to remove. */
                    unlearners?: string[];
                    /** @description Creates the registrations at the provider before the response, not soon after it. */
                    nodelay?: boolean;
                    /** @description Never creates the registrations at the provider; for tests. */
                    skip_external_initialization?: boolean;
                    /** @description Shows the registrations by learner and course. */
                    show_registration_guids?: boolean;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description The name of the invitation.
                     * @example autumn
                     */
                    name: string;
                    /**
                     * @description The e-mail addresses of the learners to add.
                     * @example ["learner@example.com"]
                     */
                    learners?: string;
                    /** @description The e-mail addresses of the learners to remove. */
                    unlearners?: string;
                    /** @description Creates the registrations at the provider before the response, not soon after it. */
                    nodelay?: boolean;
                    /** @description Never creates the registrations at the provider; for tests. */
                    skip_external_initialization?: boolean;
                    /** @description Shows the registrations by learner and course. */
                    show_registration_guids?: boolean;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AddedLearners"];
                };
            };
        };
    };
    "realmUsers.list": {
        parameters: {
            query?: {
                /** @description The user with this e-mail address. */
                email?: string;
                /**
                 * @description Returns a page of at most so many records, 1 to 500. The header `Link` has the next page.
                 * @example 100
                 */
                limit?: number;
                /** @description Where the page begins, from the `Link` of the page before. */
                cursor?: string;
                /** @description Shows the number of all records that match in the header `X-Total-Count`, unless counting takes too long. */
                count?: boolean;
                /** @description Begins a response in CSV with a byte order mark, for spreadsheet programs. */
                bom?: boolean;
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RealmUser"][];
                };
            };
        };
    };
    "realmUsers.updateByEmail": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "teacher@example.com",
                 *       "custom": "{\"badge\":7}",
                 *       "realm_role_id": 1
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description Without an id in the path: the user to change.
                     * @example teacher@example.com
                     */
                    email: string;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"badge":7}
                     */
                    custom?: string;
                    /**
                     * @description 1 for a learner, 2 for a subscriber; other numbers are roles of your own.
                     * @example 1
                     */
                    realm_role_id?: number;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * Format: email
                     * @description Without an id in the path: the user to change.
                     * @example teacher@example.com
                     */
                    email: string;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"badge":7}
                     */
                    custom?: string;
                    /**
                     * @description 1 for a learner, 2 for a subscriber; other numbers are roles of your own.
                     * @example 1
                     */
                    realm_role_id?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RealmUser"];
                };
            };
        };
    };
    "realmUsers.create": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "teacher@example.com",
                 *       "custom": "{\"badge\":7}",
                 *       "realm_role_id": 1
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description The user's e-mail address.
                     * @example teacher@example.com
                     */
                    email: string;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"badge":7}
                     */
                    custom?: string;
                    /**
                     * @description 1 for a learner, 2 for a subscriber; other numbers are roles of your own.
                     * @example 1
                     */
                    realm_role_id?: number;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * Format: email
                     * @description The user's e-mail address.
                     * @example teacher@example.com
                     */
                    email: string;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"badge":7}
                     */
                    custom?: string;
                    /**
                     * @description 1 for a learner, 2 for a subscriber; other numbers are roles of your own.
                     * @example 1
                     */
                    realm_role_id?: number;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RealmUser"];
                };
            };
        };
    };
    "realmUsers.update": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the realm user.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "custom": "{\"badge\":7}",
                 *       "realm_role_id": 1
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description Without an id in the path: the user to change.
                     */
                    email?: string;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"badge":7}
                     */
                    custom?: string;
                    /**
                     * @description 1 for a learner, 2 for a subscriber; other numbers are roles of your own.
                     * @example 1
                     */
                    realm_role_id?: number;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * Format: email
                     * @description Without an id in the path: the user to change.
                     */
                    email?: string;
                    /**
                     * @description Any text, usually JSON.
                     * @example {"badge":7}
                     */
                    custom?: string;
                    /**
                     * @description 1 for a learner, 2 for a subscriber; other numbers are roles of your own.
                     * @example 1
                     */
                    realm_role_id?: number;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RealmUser"];
                };
            };
        };
    };
    "realmUsers.mergeCustom": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "email": "teacher@example.com",
                 *       "key": "client",
                 *       "seen": "2"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: email
                     * @description The user with this e-mail address.
                     * @example teacher@example.com
                     */
                    email?: string;
                    /** @description The user with this id, instead of `email`. */
                    id?: number;
                    /**
                     * @description The member of `custom` that all other parameters are merged into.
                     * @example client
                     */
                    key: string;
                    /** @description The other parameters are JSON text. */
                    php_json_encoded?: boolean;
                } & {
                    [key: string]: unknown;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * Format: email
                     * @description The user with this e-mail address.
                     * @example teacher@example.com
                     */
                    email?: string;
                    /** @description The user with this id, instead of `email`. */
                    id?: number;
                    /**
                     * @description The member of `custom` that all other parameters are merged into.
                     * @example client
                     */
                    key: string;
                    /** @description The other parameters are JSON text. */
                    php_json_encoded?: boolean;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RealmUser"];
                };
            };
        };
    };
    "realmUsers.autocomplete": {
        parameters: {
            query?: {
                /** @description The text to find. Also named `term`. */
                q?: string;
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    "templates.list": {
        parameters: {
            query?: {
                /** @description The template with this name. */
                name?: string;
                /** @description Templates with this markup. */
                markup?: string;
                /** @description Templates with this MIME type. */
                mimetype?: string;
                /**
                 * @description Returns a page of at most so many records, 1 to 500. The header `Link` has the next page.
                 * @example 100
                 */
                limit?: number;
                /** @description Where the page begins, from the `Link` of the page before. */
                cursor?: string;
                /** @description Shows the number of all records that match in the header `X-Total-Count`, unless counting takes too long. */
                count?: boolean;
                /** @description Begins a response in CSV with a byte order mark, for spreadsheet programs. */
                bom?: boolean;
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"][];
                };
            };
        };
    };
    "templates.create": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "welcome",
                 *       "body": "Welcome!",
                 *       "markup": "mustache",
                 *       "mimetype": "text/plain"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description The name, which no other template of the realm has.
                     * @example welcome
                     */
                    name: string;
                    /**
                     * @description The text.
                     * @example Welcome!
                     */
                    body?: string;
                    /**
                     * @description The language that the text is written in.
                     * @example mustache
                     */
                    markup?: string;
                    /**
                     * @description The MIME type that the text produces.
                     * @example text/plain
                     */
                    mimetype?: string;
                };
                "application/x-www-form-urlencoded": {
                    /**
                     * @description The name, which no other template of the realm has.
                     * @example welcome
                     */
                    name: string;
                    /**
                     * @description The text.
                     * @example Welcome!
                     */
                    body?: string;
                    /**
                     * @description The language that the text is written in.
                     * @example mustache
                     */
                    markup?: string;
                    /**
                     * @description The MIME type that the text produces.
                     * @example text/plain
                     */
                    mimetype?: string;
                };
            };
        };
        responses: {
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    "templates.update": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the template.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "body": "Welcome!",
                 *       "markup": "mustache",
                 *       "mimetype": "text/plain"
                 *     }
                 */
                "application/json": {
                    /** @description With an id in the path: the new name. Without: the template to change. */
                    name?: string;
                    /**
                     * @description The text.
                     * @example Welcome!
                     */
                    body?: string;
                    /**
                     * @description The language that the text is written in.
                     * @example mustache
                     */
                    markup?: string;
                    /**
                     * @description The MIME type that the text produces.
                     * @example text/plain
                     */
                    mimetype?: string;
                };
                "application/x-www-form-urlencoded": {
                    /** @description With an id in the path: the new name. Without: the template to change. */
                    name?: string;
                    /**
                     * @description The text.
                     * @example Welcome!
                     */
                    body?: string;
                    /**
                     * @description The language that the text is written in.
                     * @example mustache
                     */
                    markup?: string;
                    /**
                     * @description The MIME type that the text produces.
                     * @example text/plain
                     */
                    mimetype?: string;
                };
            };
        };
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    "templates.delete": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The id of the template.
                 * @example 1
                 */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    "templates.updateByName": {
        parameters: {
            query: {
                /**
                 * @description With an id in the path: the new name. Without: the template to change.
                 * @example welcome
                 */
                name: string;
                /**
                 * @description The text.
                 * @example Welcome!
                 */
                body?: string;
                /**
                 * @description The language that the text is written in.
                 * @example mustache
                 */
                markup?: string;
                /**
                 * @description The MIME type that the text produces.
                 * @example text/plain
                 */
                mimetype?: string;
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Template"];
                };
            };
        };
    };
    "storedQueries.initialize": {
        parameters: {
            query?: {
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredQuery"][];
                };
            };
        };
    };
    "storedQueries.run": {
        parameters: {
            query: {
                /**
                 * @description The query's name.
                 * @example completion_by_course
                 */
                name: string;
                /**
                 * @description `bright` for built-in queries.
                 * @example bright
                 */
                query_scope?: "bright" | "realm" | "provider";
                /** @description Begins a response in CSV with a byte order mark, for spreadsheet programs. */
                bom?: boolean;
                /**
                 * @description Any further parameters, such as those of a stored query: `{"days":"14"}` is sent as `days=14`.
                 * @example {}
                 */
                parameters?: {
                    [key: string]: string;
                };
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["QueryRow"][];
                };
            };
        };
    };
    "storedQueries.delete": {
        parameters: {
            query?: {
                /**
                 * @description `realm` or `provider`, if both have the query.
                 * @example realm
                 */
                query_scope?: "realm" | "provider";
                /** @description The provider application, if several have the query. */
                course_provider_id?: number;
                /** @description The fields to show, separated by commas; a nested field has a dot in its name. The response has no others, required ones included. */
                fields?: components["parameters"]["fields"];
                /** @description The field set to show. */
                template?: components["parameters"]["template"];
                /** @description The same as `template`. */
                api_template?: components["parameters"]["api_template"];
            };
            header?: {
                /** @description Identifies the request, so that it can be repeated after a lost response: for 24 hours, a repeated request has no second effect and returns the same response. */
                "Idempotency-Key"?: components["parameters"]["idempotencyKey"];
            };
            path: {
                /**
                 * @description The name of the stored query.
                 * @example my_report
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredQuery"];
                };
            };
        };
    };
}
