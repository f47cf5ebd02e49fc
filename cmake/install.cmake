# `cmake --install`: the program, the library, its headers and a CMake package (docs/embedding.md).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# What is public: these headers, and what others of ours they include. All other headers are internal and not installed.
set(NDNF_PUBLIC_HEADERS
  base/error.h
  env/task.h
  tasks/registry.h
  logic/read_program.h
  mdp/policy.h
  pipeline/check_policy.h
  pipeline/compile_program.h
  pipeline/describe_environment.h
  pipeline/diff_policies.h
  pipeline/edit_program.h
  pipeline/evaluate_policy.h
  pipeline/explain_policy.h
  pipeline/export_policy.h
  pipeline/extract_policy.h
  inputs/policy_source.h
  training/presets.h
  training/train.h
  syntax/program.h)

# Adds to a list of headers, relative to src/ndnf, those that they include.
function(ndnf_add_included variable)
  set(open ${${variable}})
  set(all ${${variable}})
  while(open)
    list(POP_FRONT open header)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/ndnf/${header})
    file(STRINGS ${PROJECT_SOURCE_DIR}/src/ndnf/${header} lines REGEX "^#include \"ndnf/")
    foreach(line IN LISTS lines)
      string(REGEX REPLACE "^#include \"ndnf/([^\"]+)\".*" "\\1" included "${line}")
      if(NOT included IN_LIST all)
        list(APPEND all ${included})
        list(APPEND open ${included})
      endif()
    endforeach()
  endwhile()
  set(${variable} ${all} PARENT_SCOPE)
endfunction()

# One archive of all modules that the pipeline needs, for programs that know nothing of modules.
set(modules base system report mdp optimum simulation nn env tasks model update train rules syntax solvers logic boxes distributions nodes compile extract
  properties verify export inputs training pipeline)
add_library(ndnf_archive STATIC)
foreach(module IN LISTS modules)
  target_sources(ndnf_archive PRIVATE $<TARGET_OBJECTS:ndnf_${module}>)
endforeach()
foreach(kernels v1 v3 v4)
  if(TARGET ndnf_kernels_${kernels})
    target_sources(ndnf_archive PRIVATE $<TARGET_OBJECTS:ndnf_kernels_${kernels}>)
  endif()
endforeach()
set_target_properties(ndnf_archive PROPERTIES OUTPUT_NAME ndnf EXPORT_NAME ndnf LINKER_LANGUAGE CXX)
target_link_libraries(ndnf_archive PUBLIC fmt::fmt nlohmann_json::nlohmann_json
  PRIVATE Threads::Threads tomlplusplus::tomlplusplus $<$<BOOL:${MPI_C_FOUND}>:MPI::MPI_C>)
target_compile_features(ndnf_archive INTERFACE cxx_std_20)
target_compile_options(ndnf_archive INTERFACE -ffp-contract=off)  # inline functions compute the same everywhere
target_include_directories(ndnf_archive INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/ndnf)
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${PROJECT_BINARY_DIR}/include/ndnf/version.h @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/cmake/ndnfConfig.cmake.in ${PROJECT_BINARY_DIR}/ndnfConfig.cmake @ONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/ndnfConfigVersion.cmake COMPATIBILITY SameMinorVersion)

set(headers ${NDNF_PUBLIC_HEADERS})
ndnf_add_included(headers)
foreach(header IN LISTS headers)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES ${PROJECT_SOURCE_DIR}/src/ndnf/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ndnf/${folder})
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/include/ndnf/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/ndnf)
install(TARGETS ndnf)
install(TARGETS ndnf_archive EXPORT ndnfTargets)
install(EXPORT ndnfTargets NAMESPACE ndnf:: DESTINATION ${package})
install(FILES ${PROJECT_BINARY_DIR}/ndnfConfig.cmake ${PROJECT_BINARY_DIR}/ndnfConfigVersion.cmake DESTINATION ${package})
