/**
 * Shows the OpenAPI document that the page names, ready to be tried out. Fields are prefilled with the
 * examples of the document, and with nothing where it has none.
 */
const { openApi } = document.getElementById('reference').dataset;

/** Swagger UI would make up a value for each field of a form, and send the empty ones. */
const prefillExamplesOnly = () => ({
  afterLoad() {
    const sample = this.fn.getSampleSchema;
    // For a field of a form, in place of a media type, Swagger UI passes false.
    this.fn.getSampleSchema = (schema, mediaType, ...more) =>
      mediaType === false && !schema.has('examples') ? '' : sample(schema, mediaType, ...more);
  },
  wrapComponents: {
    ParameterIncludeEmpty:
      (Original, { React }) =>
      (properties) =>
        React.createElement(Original, { ...properties, isIncludedOptions: {} }),
  },
});

SwaggerUIBundle({
  url: openApi,
  dom_id: '#reference',
  validatorUrl: null,
  tryItOutEnabled: true,
  plugins: [prefillExamplesOnly],
});
