import type { Catalogue } from './texts.ts';

export const spanish: Catalogue = {
  direction: 'ltr',
  texts: {
    player: {
      course: 'Curso',
      contents: 'Contenido',
      previous: 'Anterior',
      continue: 'Continuar',
      endCourse: 'Finalizar curso',
      exit: 'Salir',
      goBack: 'Volver',
      needsJavaScript: 'Este curso necesita JavaScript.',
      review: 'Repaso: no se registra nada',
      saved: 'Guardado',
      notSaved: 'Aún no se ha guardado. Reintentando…',
      choosePart: 'Elija una parte del curso.',
      partEnded: 'Esta parte ha terminado. Elija otra o salga del curso con «Salir».',
      unreachable:
        'No se puede acceder al curso. Compruebe su conexión y vuelva a cargar esta página.',
      opener: {
        open: 'Abrir el curso',
        opens: 'El curso se abre en una ventana nueva.',
        isOpen: 'El curso está abierto en otra ventana.',
        closed: 'La ventana del curso se ha cerrado.',
        blocked: 'El navegador no ha abierto una ventana para el curso. Ábralo aquí.',
      },
      confirmExit: {
        question: 'Esta parte ha terminado. ¿Quiere salir del curso?',
        leave: 'Salir del curso',
        stay: 'Quedarse',
      },
      offline: {
        cause: 'No se puede acceder al curso.',
        savedUntil: 'Última vez que se guardaron sus resultados: {time}.',
        unsaved: {
          one: '{count} resultado aún no se ha guardado.',
          other: '{count} resultados aún no se han guardado.',
        },
        allSaved: 'Todos sus resultados se han guardado.',
        goesOn:
          'Se seguirá intentando y el curso continuará automáticamente. Mantenga abierta esta ventana.',
      },
      statuses: {
        notStarted: 'Sin empezar',
        inProgress: 'En curso',
        completed: 'Completado',
        passed: 'Aprobado',
        failed: 'No aprobado',
      },
      refusals: {
        unavailable: 'Esta parte no pertenece a este intento.',
        notChoosable: 'A esta parte se llega con «Continuar» y «Anterior».',
        hidden: 'Esta parte no se puede elegir ahora.',
        disabled: 'Esta parte no está disponible ahora.',
        noAttemptsLeft: 'Se han agotado los intentos de esta parte.',
        noFlow: 'Elija una parte del contenido.',
        forwardOnly: 'Este curso solo permite avanzar.',
        stopped: 'Primero hay que terminar una parte anterior.',
        choiceExit: 'Primero hay que terminar la parte abierta.',
        preventActivation: 'A esta parte se llega desde las anteriores.',
        constrained: 'Solo se pueden elegir las partes contiguas a la abierta.',
        nothingThere: 'No hay más partes en esta dirección.',
        prerequisites: 'Primero hay que completar otras partes.',
        notNow: 'Esto no es posible ahora.',
      },
      endings: {
        completed: {
          title: 'Ha completado el curso',
          text: 'Su resultado se ha guardado. Puede cerrar esta ventana.',
        },
        failed: {
          title: 'No ha aprobado el curso',
          text: 'Su resultado se ha guardado. Puede cerrar esta ventana.',
        },
        suspended: {
          title: 'Ha salido del curso',
          text: 'Su progreso se ha guardado. Abra de nuevo el curso para continuar. Puede cerrar esta ventana.',
        },
        review: {
          title: 'Ha salido del curso',
          text: 'Era un repaso: no se ha registrado nada. Puede cerrar esta ventana.',
        },
        left: {
          title: 'Ha salido del curso',
          text: 'Sus resultados se han guardado. Puede cerrar esta ventana.',
        },
      },
      stops: {
        openElsewhere: {
          title: 'Esta ventana ya no está activa',
          text: 'El curso se abrió de nuevo, o se cerró, en otra ventana. Continúe allí o ábralo de nuevo.',
        },
        ended: {
          title: 'Esta ventana ya no está activa',
          text: 'Aquí ya no se puede guardar nada. Abra de nuevo el curso donde lo encontró.',
        },
      },
    },
    notices: {
      ended: {
        title: 'Esta ventana ya no está activa',
        text: 'Aquí ya se salió del curso. Vuelva al lugar donde abrió el curso y ábralo de nuevo.',
      },
      expired: {
        title: 'Este enlace ha caducado',
        text: 'El enlace a un curso solo funciona durante poco tiempo. Vuelva al lugar donde abrió el curso y ábralo de nuevo.',
      },
      used: {
        title: 'Este enlace ya se ha utilizado',
        text: 'El enlace a un curso abre una sola ventana. Vuelva al lugar donde abrió el curso y ábralo de nuevo.',
      },
      invalid: {
        title: 'Este enlace no abre ningún curso',
        text: 'Vuelva al lugar donde abrió el curso y ábralo de nuevo.',
      },
    },
  },
};
